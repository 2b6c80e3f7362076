/**
 * Messages between clients (agents, people) and nodes. One may be lost, come late or twice, and so may its reply; a client
 * that hears nothing for a while, or finds its node gone, asks again, perhaps another node.
 */
import { type BanksmanError, isBanksmanError } from '../../../src/core/errors.ts'
import type { Gateway } from '../../../src/gateway/gateway-verbs.ts'
import type { Life, Machine } from './machine.ts'
import type { World } from './world.ts'

export interface NetworkRequest<T> {
  doing: string
  /** The request it is about. */
  about?: string
  work: (gateway: Gateway, life: Life) => Promise<T>
  /** When the client stops listening. `never`: only the node's death ends it, and no message is lost. */
  patienceMs?: number | 'never'
}

/** The client does not know what became of it. */
export type Unheard = { kind: 'unheard'; why: string }
export type Heard<T> = { kind: 'heard'; value: T } | { kind: 'failed'; error: BanksmanError } | Unheard

const PATIENCE_MS = 2_000

export function ask<T>(world: World, machine: Machine, asking: NetworkRequest<T>): Promise<Heard<T>> {
  const { scheduler, faults, random } = world
  const { doing, work, about } = asking
  const isPatient = asking.patienceMs === 'never'
  const travel = () =>
    !isPatient && faults.strikes('message delayed') ? random.between(100, 4000) : random.between(1, 20)

  return new Promise((resolve) => {
    let isOver = false
    let patience: { cancel(): void } | undefined
    const finish = (heard: Heard<T>) => {
      if (isOver) return
      isOver = true
      patience?.cancel()
      if (heard.kind !== 'heard')
        scheduler.note(`${doing}: ${heard.kind === 'failed' ? heard.error.code : heard.why}`)
      resolve(heard)
    }
    const unheard = (why: string) => finish({ kind: 'unheard', why })

    const arrive = () => {
      const { life } = machine
      if (life?.gateway === undefined) {
        if (isPatient || faults.isQuiet() || random.chance(0.5))
          scheduler.after(1, `${doing}: refused`, () => unheard('refused'))
        return
      }
      const { gateway } = life
      const stopListening = life.onDeath(() =>
        scheduler.after(random.between(1, 200), `${doing}: reset`, () => unheard('reset')),
      )
      const back = (heard: Heard<T>) => {
        stopListening()
        if (!isPatient && faults.strikes('reply dropped')) return
        scheduler.after(travel(), `${doing} <- ${life.node}`, () => finish(heard))
      }
      life.enter(() => {
        work(gateway, life).then(
          (value) => {
            world.hearing.reply(life, value, doing)
            back({ kind: 'heard', value })
          },
          (error) => {
            world.hearing.failure(life, error, about, doing)
            if (isBanksmanError(error)) back({ kind: 'failed', error })
          },
        )
      })
    }

    if (!isPatient && faults.strikes('message dropped')) scheduler.note(`${doing} is lost`)
    else scheduler.after(travel(), `${doing} -> ${machine.name}`, arrive)
    if (!isPatient && faults.strikes('message duplicated'))
      scheduler.after(travel(), `${doing} -> ${machine.name} again`, arrive)
    if (isPatient) return
    const patienceMs = (asking.patienceMs as number | undefined) ?? PATIENCE_MS
    patience = scheduler.after(patienceMs, `${doing}: no answer`, () => unheard('no answer'))
  })
}

const MOST_TRIES = 8
/** Once nothing fails any more, it takes as long as it takes. */
const MOST_QUIET_TRIES = 60

/** Asks until there is an answer that is one: where the store failed, or nothing was heard, it may have been done or not. */
export async function askUntilHeard<T>(world: World, asking: NetworkRequest<T>): Promise<Heard<T>> {
  let machine = world.random.pick(world.machines)
  for (let tries = 0; ; tries++) {
    const heard = await ask(world, machine, asking)
    const isAnswer = heard.kind === 'heard' || (heard.kind === 'failed' && !isPassing(heard.error))
    if (isAnswer || tries >= (world.faults.isQuiet() ? MOST_QUIET_TRIES : MOST_TRIES)) return heard
    await world.scheduler.sleep(world.random.between(50, 800), `${asking.doing}: tries again`)
    if (heard.kind === 'unheard' || world.faults.strikes('client went to another node')) {
      machine = world.random.pick(world.machines)
      world.faults.count('client went to another node')
    }
  }
}

export function isPassing(error: BanksmanError): boolean {
  return error.code.startsWith('store_') || error.code === 'closed'
}
