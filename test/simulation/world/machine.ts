/**
 * A machine that a gateway runs on. Whatever comes back to the gateway (a reply of the store, a timer, a message) goes
 * through the gate of the life that asked for it: nothing gets into a life that has ended, and while it is paused
 * everything waits at the gate.
 */
import { createGateway } from '../../../src/gateway/gateway.ts'
import type { Gateway } from '../../../src/gateway/gateway-verbs.ts'
import { createChainWriter } from '../../../src/journal/entry.ts'
import { createChannels } from './channels.ts'
import { createStoreLink, type StoreLink } from './store-link.ts'
import { EPOCH, type World } from './world.ts'
import { agentNamed, OWNER, PEOPLE, SETTINGS, worldPolicy } from './world-policy.ts'

export interface Machine {
  readonly name: string
  /** Absent while it is down. */
  life: Life | undefined
  start(): void
  crash(): void
  pause(): void
  resume(): void
  jumpClock(byMs: number): void
}

/** From a start to a crash: one process with one chain. */
export interface Life {
  readonly node: string
  readonly chain: string
  readonly link: StoreLink
  /** Absent until it has started. */
  gateway: Gateway | undefined
  /** Requests that somebody told this process to stop: it acts on that before it is recorded. */
  readonly stopping: Set<string>
  /** What this process has found when it looked at the facts, and when. */
  readonly lookedUp: { at: number; folder: string }[]
  isPaused(): boolean
  /** Does the work inside the process: now, or when it goes on, or never. */
  enter(work: () => void): void
  after(delayMs: number, label: string, work: () => void): { cancel(): void }
  /** Told when it dies. */
  onDeath(callback: () => void): () => void
}

export function createMachine(world: World, name: string): Machine {
  const { scheduler } = world
  let lives = 0
  let clockOffset = 0
  let current: { life: Life; die(): void; pause(): void; resume(): void } | undefined

  function live(): void {
    const made = createLife(world, name, ++lives)
    current = made
    machine.life = made.life
    const { life } = made
    const parts = {
      store: life.link.store,
      clock: {
        now: () => EPOCH + scheduler.now() + clockOffset,
        after: (delayMs: number, callback: () => void) => life.after(delayMs, `${name} timer`, callback),
      },
      random: world.random.fork(),
      chain: createChainWriter(life.chain),
      policy: worldPolicy,
      directory: () => ({ owner: OWNER, people: PEOPLE }),
      channels: createChannels(world, life),
      gatherFacts: (call: { tool: string }) => gatherFacts(world, life, call.tool),
      settings: SETTINGS,
    }
    createGateway(parts, agentNamed('host')).then(
      (gateway) => {
        life.gateway = gateway
        scheduler.note(`${name} is up as ${life.chain}`)
      },
      (error) => {
        scheduler.note(`${name} could not start: ${error.code}`)
        machine.crash()
        scheduler.after(500, `${name} tries to start again`, machine.start)
      },
    )
  }

  const machine: Machine = {
    name,
    life: undefined,
    start() {
      if (machine.life === undefined) live()
    },
    crash() {
      machine.life = undefined
      current?.die()
      current = undefined
    },
    pause: () => current?.pause(),
    resume: () => current?.resume(),
    jumpClock(byMs) {
      clockOffset += byMs
    },
  }
  return machine
}

function createLife(world: World, node: string, number: number) {
  const { scheduler } = world
  const deaths = new Set<() => void>()
  let held: (() => void)[] = []
  let isDead = false
  let isPaused = false

  const life: Life = {
    node,
    chain: `${node}-${number}`,
    link: undefined as unknown as StoreLink,
    gateway: undefined,
    stopping: new Set(),
    lookedUp: [],
    isPaused: () => isPaused,
    enter(work) {
      if (isDead) return
      if (isPaused) held.push(work)
      else work()
    },
    after(delayMs, label, work) {
      let isCancelled = false
      const event = scheduler.after(delayMs, label, () => life.enter(() => isCancelled || work()))
      return {
        cancel() {
          isCancelled = true
          event.cancel()
        },
      }
    },
    onDeath(callback) {
      deaths.add(callback)
      return () => void deaths.delete(callback)
    },
  }
  Object.assign(life, { link: createStoreLink(world, life) })

  return {
    life,
    die() {
      isDead = true
      held = []
      life.link.close()
      for (const callback of [...deaths]) callback()
    },
    pause() {
      isPaused = true
    },
    resume() {
      if (!isPaused) return
      isPaused = false
      const waiting = held
      held = []
      // Each in a step of its own: a crash, or another node, may come between.
      for (const work of waiting) scheduler.after(0, `${node} goes on`, () => life.enter(work))
    },
  }
}

/** Where the working folder leads. It moves when the world's facts change. */
function gatherFacts(world: World, life: Life, tool: string): Promise<{ folder: string } | undefined> {
  if (tool !== 'deploy') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const folder = `/srv/${world.facts}`
    life.lookedUp.push({ at: world.scheduler.now(), folder })
    life.after(world.random.between(0, 5), `${life.node} has the facts`, () => resolve({ folder }))
  })
}
