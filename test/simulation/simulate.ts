/**
 * One world from one seed: several gateways on one store, agents, people, and everything that can go wrong between them,
 * in one process and in virtual time. The same seed gives the same trace, byte for byte.
 */

import { hash } from 'node:crypto'
import type { ToolCall } from '../../src/core/call.ts'
import { defined } from '../../src/core/defined.ts'
import type { Actor } from '../../src/core/session.ts'
import { callFromWithin } from './actors/embedded-agent.ts'
import { createFollower } from './actors/feed-follower.ts'
import { callByHolding } from './actors/holding-agent.ts'
import { runLiveApprover } from './actors/live-approver.ts'
import { answerAtOnce, runPerson } from './actors/person.ts'
import { callFromAfar } from './actors/remote-agent.ts'
import { createLedger } from './laws/ledger.ts'
import { checkJournal, checkUnreached, findUnrest } from './laws/quiescence.ts'
import { createToldChecks } from './laws/told-checks.ts'
import { createFaults, type FaultKind } from './world/faults.ts'
import { endFaults, startFaults } from './world/inject-faults.ts'
import { createMachine } from './world/machine.ts'
import { createSeededRandom } from './world/random.ts'
import { createScheduler } from './world/scheduler.ts'
import { openSharedStore } from './world/shared-store.ts'
import { pickTheme } from './world/theme.ts'
import { emptyTally, type Tally, type World } from './world/world.ts'
import { agentNamed, makeCall, personNamed, SESSIONS, type SessionPlan } from './world/world-policy.ts'

export interface SimulationOptions {
  /** Kinds of faults to leave out. */
  without?: readonly FaultKind[]
}

export interface SimulationResult {
  seed: number
  steps: number
  /** How long it took in the world's time. */
  virtualMs: number
  /** The promise that was broken, and how; absent when all held. */
  broken?: { promise: string; words: string }
  trace: readonly string[]
  /** Of the trace. */
  hash: string
  tally: Tally
  faults: Record<FaultKind, number>
}

/** A world that has not come to rest by then never will. */
const MOST_STEPS = 30_000
const MOST_QUIET_MS = 300_000
const CLAIM_LAPSES_MS = 601_000

export async function simulate(
  seed: number,
  { without = [] }: SimulationOptions = {},
): Promise<SimulationResult> {
  const random = createSeededRandom(seed)
  const scheduler = createScheduler()
  const faults = createFaults(random.fork(), without)
  let broken: { promise: string; words: string } | undefined
  const tally = emptyTally()
  const shared = openSharedStore(scheduler)
  const active = new Set<string>()
  const world: World = {
    seed,
    random,
    scheduler,
    theme: pickTheme(random),
    faults,
    tally,
    shared,
    facts: 0,
    ledger: undefined as never,
    hearing: undefined as never,
    machines: [],
    isShown: () => {},
    begin(name, work) {
      active.add(name)
      work().then(
        () => active.delete(name),
        (error) => world.broken('simulator', `${name} failed: ${(error as Error).stack}`),
      )
    },
    broken(promise, words) {
      broken ??= { promise, words }
      scheduler.note(`BROKEN ${promise}: ${words}`)
    },
  }
  Object.assign(world, { ledger: createLedger(world), hearing: createToldChecks(world) })
  const nodes = random.between(2, 3)
  Object.assign(world, {
    machines: Array.from({ length: nodes }, (_, index) => createMachine(world, `n${index + 1}`)),
  })

  for (const machine of world.machines) machine.start()
  const follower = createFollower(world)
  follower.start()
  populate(world)
  let answers = 0
  world.isShown = (request) => {
    if (!random.chance(world.theme.atOnce)) return
    const person = personNamed(random.pick(['ben', 'cleo', 'ana']))
    world.begin(`answer ${++answers}`, () => answerAtOnce(world, request, person))
  }
  startFaults(world)

  const quietFrom = random.between(8_000, 18_000)
  scheduler.after(quietFrom, 'from here on nothing fails', () => endFaults(world))
  let hasJumped = false
  while (broken === undefined) {
    if (!(await scheduler.step())) world.broken('simulator', 'there is nothing left to do')
    if (!faults.isQuiet()) continue
    if (scheduler.steps() % 16 !== 0) continue
    checkUnreached(world, quietFrom, world.ledger.presentUntil())
    const unrest = await findUnrest(world, follower, active)
    if (unrest === undefined) break
    // An approval that nobody claims lapses after ten minutes, which nobody needs to watch.
    if (!hasJumped && active.size === 0) {
      hasJumped = true
      shared.jump(CLAIM_LAPSES_MS)
    }
    const isTooLong = scheduler.now() > quietFrom + MOST_QUIET_MS || scheduler.steps() > MOST_STEPS
    if (isTooLong) world.broken(unrest.promise, `it does not come to rest: ${unrest.words}`)
  }
  if (broken === undefined) await checkJournal(world)
  const { trace } = scheduler
  return {
    seed,
    steps: scheduler.steps(),
    virtualMs: scheduler.now(),
    ...defined({ broken }),
    trace,
    hash: hash('sha256', trace.join('\n'), 'hex'),
    tally,
    faults: faults.counts,
  }
}

function populate(world: World): void {
  const { random, begin } = world
  for (const session of SESSIONS) begin(`session ${session.id}`, () => liveSession(world, session))
  for (const subject of ['ana', 'ben', 'cleo']) {
    const actions = random.between(3, 7)
    begin(subject, () => runPerson(world, personNamed(subject), actions))
  }
  begin('eve', () => runPerson(world, personNamed('eve'), random.between(0, 3)))
  // An agent that would like to decide for itself.
  begin('agent-1 as a person', () => runPerson(world, agentNamed('agent-1'), random.between(0, 2)))
  begin('a visitor', () =>
    runLiveApprover(world, personNamed(random.pick(['ben', 'cleo'])), random.between(0, 3)),
  )
}

async function liveSession(world: World, session: SessionPlan): Promise<void> {
  const { random, scheduler, theme } = world
  const actor = agentNamed(session.agent)
  const calls = random.between(1, theme.calls)
  const side: Promise<void>[] = []
  for (let number = 1; number <= calls; number++) {
    await scheduler.sleep(random.between(0, number === 1 ? 500 : 2500), `${session.id} goes on`)
    const call = makeCall(world, session, `c${number}`)
    world.tally.calls++
    const made = makeIt(world, call, actor)
    // Some agents make several calls at once.
    if (random.chance(theme.beside)) side.push(made)
    else await made
  }
  await Promise.all(side)
}

function makeIt(world: World, call: ToolCall, actor: Actor): Promise<void> {
  const { random, theme } = world
  if (random.chance(theme.within)) return callFromWithin(world, call, actor)
  return random.chance(theme.takes) ? callByHolding(world, call, actor) : callFromAfar(world, call, actor)
}
