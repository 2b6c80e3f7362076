/**
 * `guard`, `hold` and `judge`: the port of `guard/contract.ts` in the process of the gateway. The tool gets a fresh copy of the
 * approved bytes (P3), runs at most once (P4), and whatever goes wrong before that ends in a refusal that says what it was (P5).
 */
import type { ToolCall } from '../core/call.ts'
import { BanksmanError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Outcome, Request } from '../core/request.ts'
import type { Actor } from '../core/session.ts'
import type {
  GuardOptions,
  GuardResult,
  Held,
  HoldOptions,
  NotRun,
  Replayed,
  RunTool,
} from '../guard/contract.ts'
import { createHeld, type HeldData, type HoldPort, type LiveHeld } from '../guard/create-held.ts'
import { checkedResult, resultText } from '../guard/kept-result.ts'
import { describeError, ReleaseMarker, runHeld, runOnce } from '../guard/run-held.ts'
import { isStoreFault } from './cancel.ts'
import { MAX_SUMMARY } from './claim.ts'
import { refusedBy } from './guard-result.ts'
import type { CallPlace } from './guarding/allowed-holds.ts'
import { joinedRequest, leavePlace, startWaiting } from './guarding/join.ts'
import {
  type Begun,
  type Claimed,
  createTakeCall,
  type TakeVerbs,
  type Taking,
} from './guarding/take-call.ts'
import type { Hall } from './hall.ts'

/** Whose call it is, where it is not that of the gateway's own agent. */
export interface AsActor {
  as?: Actor | undefined
}

export interface GuardVerbs {
  guard<T, A extends object = JsonObject>(
    call: ToolCall<A>,
    run: RunTool<T, A>,
    options?: GuardOptions & AsActor,
  ): Promise<GuardResult<T, A>>
  hold<A extends object = JsonObject>(
    call: ToolCall<A>,
    options?: HoldOptions & AsActor,
  ): Promise<Held<A> | Replayed<A> | NotRun>
  /** The same as plain data, for a caller elsewhere, who renews, reports and releases by the other verbs. */
  take(call: ToolCall, taking: TakeInput, actor: Actor): Promise<HeldData | Replayed | NotRun>
  /** What became of a held call that nobody was asked about. `result` is what `remember` keeps. */
  reportHeld(place: CallPlace & { key: string }, ended: HeldReport, actor: Actor): Promise<void>
  /** Gives a call back by its key, whether somebody was asked about it or not, and says which request it is. */
  releaseHeld(
    place: CallPlace & { key: string },
    cause: string,
    actor: Actor,
  ): Promise<{ requestId?: string }>
}

export interface TakeInput
  extends Pick<Taking, 'holdMs' | 'signal' | 'can' | 'joinToken' | 'waitsFor' | 'onAsked'> {
  key: string
  remember?: boolean | undefined
}

export interface HeldReport {
  outcome: 'ok' | 'error'
  summary?: string | undefined
  result?: string | undefined
}

/** The token of the library's own calls: they have none. */
const OWN_TOKEN = 'library'

export function createGuard(hall: Hall, verbs: TakeVerbs, self: Actor) {
  const { begin, conclude } = createTakeCall(hall, verbs)
  /** Reports that could not be written yet; `flush` waits for them. */
  const reports = new Set<Promise<boolean>>()
  const times = {
    clock: hall.clock,
    recordWithinMs: hall.settings.recordWithinMs,
    closed: hall.closed,
  }

  function guard<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions & AsActor = {},
  ): Promise<GuardResult<T>> {
    if (hall.trace === undefined) return guardCall(call, run, options)
    return hall.trace('banksman.guard', { 'banksman.tool': String(call?.tool) }, async (note) => {
      const result = await guardCall(call, run, options)
      note({ 'banksman.result': result.kind === 'refused' ? result.state : result.kind })
      return result
    })
  }

  /**
   * Not one function that awaits it all: whatever such a function has in its hands stays in memory while it waits, and a
   * person may take a day. Here nothing of the call is held but the request's id.
   */
  function guardCall<T>(
    call: ToolCall<object>,
    run: RunTool<T>,
    options: GuardOptions & AsActor,
  ): Promise<GuardResult<T>> {
    const actor = options.as ?? self
    const { remember = false, key, join } = options
    const runsAtOnce = remember === false && key === undefined && join !== true
    const taking = runsAtOnce ? { ...options, runsAtOnce } : takingOf({ ...options, key: key ?? newKey() })
    return begin(call, actor, taking)
      .then((begun) => proceed(begun, run, taking, actor))
      .catch(refusedBy)
  }

  function proceed<T>(
    begun: Begun,
    run: RunTool<T>,
    taking: Taking & GuardOptions,
    actor: Actor,
  ): GuardResult<T> | Promise<GuardResult<T>> {
    switch (begun.kind) {
      case 'run':
        return runAtOnce(begun, run, actor)
      case 'claimed':
        return runClaimed(begun, run, taking, actor)
      case 'wait':
      case 'decided':
        return settled(begun, taking, actor).then((taken) =>
          taken.kind === 'claimed' ? runClaimed(taken, run, taking, actor) : (taken as GuardResult<T>),
        )
      default:
        return begun as GuardResult<T>
    }
  }

  /** Waits where a person has to decide, then claims. */
  function settled(
    begun: Extract<Begun, { kind: 'wait' | 'decided' }>,
    taking: Taking,
    actor: Actor,
  ): Promise<Claimed | Replayed | NotRun> {
    if (begun.kind === 'decided') return conclude(begun.request, actor, taking)
    return waitFor(begun.id, begun.tool, taking).then((request) => conclude(request, actor, taking))
  }

  /** Who stops waiting is given the request as it is; the request itself goes on. */
  function waitFor(id: string, tool: string, taking: Taking): Promise<Request> {
    const { holdMs, signal, joinToken, key } = taking
    const hold = {
      ...(holdMs === undefined ? {} : { holdMs }),
      ...(signal === undefined ? {} : { signal }),
    }
    const wait = () =>
      signal === undefined
        ? verbs.wait(id, hold)
        : verbs
            .wait(id, hold)
            .catch((error) => (signal.aborted ? verbs.wait(id, { holdMs: 0 }) : Promise.reject(error)))
    const place = joinToken === undefined || key === undefined ? undefined : startWaiting(hall, id, key)
    const waited =
      place === undefined
        ? wait
        : () => wait().finally(() => place.leave(signal?.aborted === true ? 'for good' : 'to come back'))
    if (hall.trace === undefined) return waited()
    return hall.trace('banksman.wait', { 'banksman.request': id, 'banksman.tool': tool }, waited)
  }

  async function runAtOnce<T>(
    { arguments: args, place }: Extract<Begun, { kind: 'run' }>,
    run: RunTool<T>,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    const result = await runOnce(run, args, { signal: NEVER })
    if (result.ok || !(result.error instanceof ReleaseMarker)) return { kind: 'ran', ...result }
    const { message: cause, error } = result.error
    try {
      await verbs.allowed.release(place, newKey(), cause, actor)
      return { kind: 'released', cause, ...(error === undefined ? {} : { error }) }
    } catch (failure) {
      const because = `it paused itself (${cause}), and could not be given back: ${describeError(failure)}`
      return { kind: 'ran', ok: false, error: error ?? new Error(because, { cause: failure }) }
    }
  }

  function runClaimed<T>(
    claimed: Claimed,
    run: RunTool<T>,
    options: Taking & GuardOptions,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    return runHeld(toHeld(claimed, options, actor), run, options, refusedBy)
  }

  function toHeld({ data, request, sinceSent }: Claimed, options: HoldOptions, actor: Actor): LiveHeld {
    const held = createHeld(data, portOf(request?.id, options, actor), times, sinceSent)
    if (request !== undefined) hall.running.set(request.id, { stop: held.stop, by: actor.subject, request })
    const { report } = held
    held.report = (outcome) => {
      const recorded = report(outcome)
      const { reported } = held
      if (reported !== undefined && !reports.has(reported)) {
        reports.add(reported)
        reported.finally(() => reports.delete(reported))
      }
      return recorded
    }
    return held
  }

  function portOf(id: string | undefined, { remember }: HoldOptions, actor: Actor): HoldPort {
    const leave = () => {
      if (id === undefined) return
      hall.running.delete(id)
      hall.stopped.delete(id)
    }
    return {
      async renew({ claimId }) {
        const { request } = await verbs.claims.renew(id!, claimId!, actor)
        return { stop: request.progress.stop }
      },
      report(data, ended) {
        leave()
        const result = resultText(ended, remember)
        const { summary } = ended
        const said = { outcome: ended.ok ? ('ok' as const) : ('error' as const), summary, result }
        if (id === undefined) return reportHeld(data, said, actor)
        return verbs.claims.report(id, { claimId: data.claimId!, ...said }, actor).then(() => {})
      },
      async release(data, cause) {
        if (id === undefined) return verbs.allowed.release(data, data.key, cause, actor)
        await verbs.claims.release(id, { key: data.key, cause }, actor)
        leave()
      },
      isPassing: isStoreFault,
      fault: (doing, error) => hall.report({ doing, error }),
    }
  }

  function reportHeld(
    { session, callId, key }: CallPlace & { key: string },
    { outcome, summary, result }: HeldReport,
    actor: Actor,
  ): Promise<void> {
    const said: Outcome = {
      kind: outcome,
      ...(summary === undefined
        ? {}
        : { summary: summary.toWellFormed().slice(0, MAX_SUMMARY).toWellFormed() }),
      at: hall.store.now(),
      by: actor.subject,
    }
    return verbs.allowed.report({ session, callId }, key, said, checkedResult(result), actor)
  }

  async function hold(
    call: ToolCall<object>,
    options: HoldOptions & AsActor = {},
  ): Promise<Held | Replayed | NotRun> {
    const actor = options.as ?? self
    const taking = takingOf({ ...options, key: options.key ?? newKey() })
    try {
      const taken = await takeCall(call, taking, actor)
      return taken.kind === 'claimed' ? toHeld(taken, options, actor) : taken
    } catch (error) {
      return refusedBy(error)
    }
  }

  async function takeCall(
    call: ToolCall<object>,
    taking: Taking,
    actor: Actor,
  ): Promise<Claimed | Replayed | NotRun> {
    const begun = await begin(call, actor, taking)
    if (begun.kind === 'run') throw new BanksmanError('internal', 'a held call has no key')
    return begun.kind === 'wait' || begun.kind === 'decided' ? settled(begun, taking, actor) : begun
  }

  function newKey(): string {
    return Buffer.from(hall.random.bytes(16)).toString('hex')
  }

  const guardVerbs: GuardVerbs = {
    // The tool gets JSON of the shape that the call has. Only a schema in the definition holds a person's edit to that shape.
    guard: guard as GuardVerbs['guard'],
    hold: hold as GuardVerbs['hold'],
    async take(call, { key, ...input }, actor) {
      try {
        const taken = await takeCall(call, { ...input, key, comesBack: true }, actor)
        return taken.kind === 'claimed' ? taken.data : taken
      } catch (error) {
        return refusedBy(error)
      }
    },
    reportHeld,
    async releaseHeld({ session, callId, key }, cause, actor) {
      const { known } = await hall.store.lookup(session, callId, '')
      const request = known === undefined ? await joinedRequest(hall, { session, callId }) : known.request
      if (request === undefined) {
        await verbs.allowed.release({ session, callId }, key, cause, actor)
        return {}
      }
      const { id, joinable } = await verbs.claims.release(request, { key, cause }, actor)
      if (joinable !== undefined) await leavePlace(hall, id, key)
      return { requestId: id }
    },
  }
  return {
    ...guardVerbs,
    async flush(): Promise<void> {
      await Promise.all(reports)
    },
  }
}

const NEVER = new AbortController().signal

function takingOf<T extends HoldOptions>(options: T): T & Taking {
  return options.join === true ? { ...options, joinToken: OWN_TOKEN } : options
}
