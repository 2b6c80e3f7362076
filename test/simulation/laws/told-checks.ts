/**
 * What anyone was told and what was run, held against what is committed at that moment. Whoever is told something is
 * told it here: people in their channels, agents and people in replies.
 */
import { prepareCall, type ToolCall } from '../../../src/core/call.ts'
import { isBanksmanError } from '../../../src/core/errors.ts'
import { canonicalize, type JsonValue } from '../../../src/core/json/json.ts'
import { LIVE_STATES, type Request, type RequestState } from '../../../src/core/request.ts'
import type { HeldData } from '../../../src/guard/create-held.ts'
import { servedBy } from '../world/channels.ts'
import type { Life } from '../world/machine.ts'
import type { World } from '../world/world.ts'
import { keyOf } from './call-history.ts'
import { createRunHistory, type RunHistory, type Running, type RunSeen } from './run-history.ts'

export interface ToldChecks {
  presenting(life: Life, channel: string, request: Request): void
  presented(channel: string, request: Request): void
  /** The newest version that was shown; 0: none. */
  shown(channel: string, request: string): number
  /** Whatever a verb gave back: every request in it is looked at. */
  reply(life: Life, value: unknown, doing: string): void
  /** A verb failed with this; the request is the one it was about, where it was about one. */
  failure(life: Life, error: unknown, about: string | undefined, doing: string): void
  /** A tool begins to run. */
  runs(run: RunSeen): Running
  hasLeft: RunHistory['hasLeft']
  /** At the node: a runner is given the right to run a call. */
  held(data: HeldData, doing: string): void
  /** At the node: a runner is given the result of an earlier run. */
  replayed(call: ToolCall, subject: string, result: { value?: unknown; ranAt?: number }, doing: string): void
  /** Somebody was told that their decision is the one. */
  won(request: string, by: string): void
}

/** The parts of a guard's answer that are about the request. */
interface CallTold {
  kind?: unknown
  state?: unknown
  requestId?: string
}

export function createToldChecks(world: World): ToldChecks {
  const shownVersions = new Map<string, number>()
  const runs = createRunHistory(world)
  const winners = new Map<string, string>()

  function told(life: Life, request: Request, doing: string): void {
    const { id, version, state } = request
    const known = world.ledger.at(id, version)
    if (known === undefined) {
      world.broken('P7', `${doing} tells of ${id} in version ${version} (${state}), which is not committed`)
      return
    }
    // Stopping acts in the process at once, and is recorded as soon as it can be (P5).
    if (request.progress.cancelled !== undefined && known.progress.cancelled === undefined) {
      if (life.stopping.has(id) && LIVE_STATES.includes(known.state)) return
      world.broken('P5', `${doing} says that ${id} was cancelled, which is ${known.state}`)
      return
    }
    if (known.state !== state || !isSame(known.progress, request.progress)) {
      world.broken(
        'P2',
        `${doing} says that version ${version} of ${id} is ${state} ${show(request.progress.decision)}; on record it is ${known.state} ${show(known.progress.decision)}`,
      )
    }
  }

  function reply(life: Life, value: unknown, doing: string): void {
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) reply(life, item, doing)
      return
    }
    const parts = value as { request?: unknown; items?: unknown; progress?: unknown; version?: unknown }
    if (parts.progress !== undefined && parts.version !== undefined) told(life, value as Request, doing)
    if (parts.request !== undefined) reply(life, parts.request, doing)
    if (parts.items !== undefined) reply(life, parts.items, doing)
    toldOfCall(life, value as CallTold, doing)
  }

  /** What a guard says became of the call must have been so. */
  function toldOfCall(life: Life, { kind, state, requestId }: CallTold, doing: string): void {
    if (requestId === undefined) return
    const states = world.ledger.states(requestId)
    if (states.length === 0) world.broken('P7', `${doing} is told of ${requestId}, which is not committed`)
    const said =
      kind === 'refused' && state !== 'error' ? state : kind === 'answered' ? 'answered' : undefined
    if (said === undefined || states.includes(said as RequestState)) return
    if (said === 'cancelled' && life.stopping.has(requestId)) return
    world.broken('P5', `${doing} is told that ${requestId} is ${said}; it was only ever ${states.join(', ')}`)
  }

  return {
    reply,
    presenting(life, channel, request) {
      const { id, version } = request
      if (world.ledger.at(id, version) === undefined)
        world.broken(
          'P1',
          `${life.node} shows version ${version} of ${id} in ${channel}, which is not committed`,
        )
      else told(life, request, `${channel} at ${life.node}`)
      if (!servedBy(channel, request.origin?.channel))
        world.broken(
          'P8',
          `${request.id} of ${request.origin?.channel ?? 'no origin'} was shown in ${channel}`,
        )
    },
    presented(channel, { id, version }) {
      const key = `${channel} ${id}`
      shownVersions.set(key, Math.max(version, shownVersions.get(key) ?? 0))
    },
    shown: (channel, request) => shownVersions.get(`${channel} ${request}`) ?? 0,
    failure(life, error, about, doing) {
      if (!isBanksmanError(error)) {
        world.broken('P5', `${doing} failed with ${String((error as Error)?.stack ?? error)}`)
        return
      }
      if (error.code === 'internal') world.broken('P5', `${doing} failed with internal: ${error.message}`)
      // Who comes from elsewhere is told so of what is not theirs (P6); whoever waits, waits for their own.
      if (
        error.code === 'unknown_id' &&
        doing.endsWith(' wait') &&
        about !== undefined &&
        world.ledger.latest(about)
      )
        world.broken('P5', `${doing} says that there is no ${about}, which is committed`)
      const { state, version, decision } = error.details as Partial<Request> & { decision?: JsonValue }
      if (about === undefined || state === undefined) return
      const known = version === undefined ? undefined : world.ledger.at(about, version)
      const states = world.ledger.states(about)
      if (!states.includes(state) && !life.stopping.has(about))
        world.broken('P5', `${doing} says that ${about} is ${state}; it was only ever ${states.join(', ')}`)
      if (version !== undefined && known === undefined)
        world.broken('P7', `${doing} tells of version ${version} of ${about}, which is not committed`)
      if (decision !== undefined && !isSame(world.ledger.latest(about)?.progress.decision, decision))
        world.broken(
          'P2',
          `${doing} names a decision on ${about} that is not the recorded one: ${show(decision)}`,
        )
    },
    runs: runs.begins,
    hasLeft: runs.hasLeft,
    held({ key, claimId, requestId, ...place }, doing) {
      if (requestId === undefined) {
        if (!world.ledger.calls.hasHeld(place, key))
          world.broken('P4', `${doing} is given ${keyOf(place)}, which ${key} never held`)
        if (world.ledger.calls.isTooLate(place, key))
          world.broken('P5', `${doing} is given ${keyOf(place)}, whose session had ended before`)
        return
      }
      const { version = 0 } = world.ledger.latest(requestId) ?? {}
      const versions = Array.from({ length: version }, (_, index) => world.ledger.at(requestId, index + 1))
      if (!versions.some((one) => one?.progress.claim?.id === claimId && one?.progress.claim?.key === key))
        world.broken('P4', `${doing} is given claim ${claimId} of ${requestId}, which ${key} never had`)
    },
    replayed(call, subject, { value, ranAt }, doing) {
      const kept = world.ledger.calls.result(call)
      world.tally.replayed++
      const name = keyOf(call)
      if (kept === undefined) {
        world.broken('P5', `${doing} is given a result of ${name}, and none was kept`)
        return
      }
      if (kept.by !== subject) world.broken('P6', `${doing} is given the result that ${kept.by} left`)
      if (kept.digest !== prepareCall(call).digest)
        world.broken('P3', `${doing} is given the result of other bytes`)
      const left = JSON.parse(kept.text) as { ok: boolean; value?: unknown }
      if (!isSame(value, left.value) || ranAt !== kept.ranAt)
        world.broken('P5', `${doing} is told that ${name} came to ${show(value)}; it came to ${kept.text}`)
    },
    won(request, by) {
      const before = winners.get(request)
      if (before !== undefined)
        world.broken('P2', `${by} was told to have decided ${request}, and so was ${before}`)
      winners.set(request, by)
    },
  }
}

/** As JSON: what a node puts together itself may have its members in another order than what it reads. */
export function isSame(one: unknown, other: unknown): boolean {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return (
    a === b ||
    (a !== undefined && b !== undefined && canonicalize(JSON.parse(a)) === canonicalize(JSON.parse(b)))
  )
}

function show(value: unknown): string {
  return value === undefined ? '(undecided)' : JSON.stringify(value)
}
