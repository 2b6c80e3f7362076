/**
 * `guard`, `hold` and `judge`: the port of `guard/contract.ts` in the process of the gateway. The tool gets a fresh copy of the
 * approved bytes (P3), runs at most once (P4), and whatever goes wrong before that ends in a refusal that says what it was (P5).
 */

import type { ToolCall } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Outcome, Request } from '../../core/request.ts'
import type { OutcomeKind } from '../../core/request-state.ts'
import type { Actor } from '../../core/session.ts'
import type {
  GuardOptions,
  GuardResult,
  Held,
  HoldOptions,
  NotRun,
  Replayed,
  RunTool,
} from '../../guard/contract.ts'
import { createHeld, type HeldData, type HoldPort, type LiveHeld } from '../../guard/create-held.ts'
import { checkedResult, isRemembered, resultText } from '../../guard/kept-result.ts'
import { describeError, ReleaseMarker, runHeld, runOnce } from '../../guard/run-held.ts'
import { MAX_SUMMARY } from '../lifecycle/claim.ts'
import { joinWaiterId, keepJoinLease, releaseJoinLease } from '../lifecycle/join-request.ts'
import { checkCause, checkKey } from '../lifecycle/runner-key.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { CallAddress } from './allowed-holds.ts'
import { toRefused } from './guard-result.ts'
import {
  type ClaimedCall,
  createTakeCall,
  type TakenCall,
  type TakeOptions,
  type TakeVerbs,
} from './take-call.ts'

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
  reportHeld(place: CallAddress & { key: string }, ended: HeldReport, actor: Actor): Promise<void>
  /** Gives a call back by its key, whether somebody was asked about it or not, and says which request it is. */
  releaseHeld(
    place: CallAddress & { key: string },
    cause: string,
    actor: Actor,
  ): Promise<{ requestId?: string }>
}

export interface TakeInput
  extends Pick<TakeOptions, 'holdMs' | 'signal' | 'can' | 'joinToken' | 'waitsFor' | 'onAsked'> {
  key: string
  remember?: boolean | undefined
}

export interface HeldReport {
  outcome: OutcomeKind
  summary?: string | undefined
  result?: string | undefined
}

/** The token of the library's own calls: they have none. */
const OWN_TOKEN = 'library'

export function createGuard(hall: GatewayContext, verbs: TakeVerbs, self: Actor) {
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
    const runsAtOnce = !isRemembered(options, false) && options.join !== true
    // A key that somebody gives is left out: `guard` must not run again what an earlier one under that key has begun.
    const plain = { ...options, key: undefined, callId: call?.callId }
    const taking = runsAtOnce ? { ...plain, runsAtOnce } : takingOf({ ...plain, key: newKey(), madeUp: true })
    return begin(call, actor, taking)
      .then((begun) => proceed(begun, run, taking, actor))
      .catch(toRefused)
  }

  function proceed<T>(
    begun: TakenCall,
    run: RunTool<T>,
    taking: TakeOptions & GuardOptions,
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
    begun: Extract<TakenCall, { kind: 'wait' | 'decided' }>,
    taking: TakeOptions,
    actor: Actor,
  ): Promise<ClaimedCall | Replayed | NotRun> {
    if (begun.kind === 'decided') return conclude(begun.request, actor, taking)
    return waitFor(begun.id, begun.tool, taking).then((request) => conclude(request, actor, taking))
  }

  /** Who stops waiting is given the request as it is; the request itself goes on. */
  function waitFor(id: string, tool: string, taking: TakeOptions): Promise<Request> {
    const { holdMs, signal, joinToken, key, callId } = taking
    const hold = {
      ...defined({ holdMs, signal }),
    }
    const wait = () =>
      signal === undefined
        ? verbs.wait(id, hold)
        : verbs
            .wait(id, hold)
            .catch((error) => (signal.aborted ? verbs.wait(id, { holdMs: 0 }) : Promise.reject(error)))
    const isJoining = joinToken !== undefined && key !== undefined && callId !== undefined
    const place = isJoining ? keepJoinLease(hall, id, joinWaiterId(callId, key)) : undefined
    const waited =
      place === undefined
        ? wait
        : () => wait().finally(() => place.leave(signal?.aborted === true ? 'for good' : 'to come back'))
    if (hall.trace === undefined) return waited()
    return hall.trace('banksman.wait', { 'banksman.request': id, 'banksman.tool': tool }, waited)
  }

  async function runAtOnce<T>(
    { arguments: args, place }: Extract<TakenCall, { kind: 'run' }>,
    run: RunTool<T>,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    const result = await runOnce(run, args, { signal: NEVER })
    if (result.ok || !(result.error instanceof ReleaseMarker)) return { kind: 'ran', ...result }
    const { message: cause, error } = result.error
    try {
      await verbs.allowed.releaseRun(place, newKey(), cause, actor)
      return { kind: 'released', cause, ...defined({ error }) }
    } catch (failure) {
      const because = `it paused itself (${cause}), and could not be given back: ${describeError(failure)}`
      return { kind: 'ran', ok: false, error: error ?? new Error(because, { cause: failure }) }
    }
  }

  function runClaimed<T>(
    claimed: ClaimedCall,
    run: RunTool<T>,
    options: TakeOptions & GuardOptions,
    actor: Actor,
  ): Promise<GuardResult<T>> {
    return runHeld(toHeld(claimed, options, actor), run, options, toRefused)
  }

  function toHeld({ data, request, sinceSent }: ClaimedCall, options: HoldOptions, actor: Actor): LiveHeld {
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

  function portOf(id: string | undefined, options: HoldOptions, actor: Actor): HoldPort {
    const dropped = () => void (id !== undefined && hall.running.delete(id))
    return {
      async renew({ claimId }) {
        const { request } = await verbs.claims.renew(id!, claimId!, actor)
        return { stop: request.progress.stop }
      },
      report(data, ended) {
        dropped()
        // It runs no longer, whether it was told to stop or not.
        if (id !== undefined) hall.stopped.delete(id)
        const result = resultText(ended, options, id !== undefined)
        const { summary } = ended
        const said = { outcome: ended.ok ? ('ok' as const) : ('error' as const), summary, result }
        if (id === undefined) return reportHeld(data, said, actor)
        return verbs.claims.report(id, { claimId: data.claimId!, ...said }, actor).then(() => {})
      },
      async release(data, cause) {
        if (id === undefined) return verbs.allowed.release(data, data.key, cause, actor)
        await verbs.claims.release(id, { claimId: data.claimId!, cause }, actor)
        dropped()
      },
      isPassing: isStoreFault,
      fault: (doing, error) => hall.report({ doing, error }),
      dropped,
    }
  }

  function reportHeld(
    { session, callId, key }: CallAddress & { key: string },
    { outcome, summary, result }: HeldReport,
    actor: Actor,
  ): Promise<void> {
    checkKey(key)
    const said: Outcome = {
      kind: outcome,
      ...defined({ summary: summary?.toWellFormed().slice(0, MAX_SUMMARY).toWellFormed() }),
      at: hall.store.now(),
      by: actor.subject,
    }
    return verbs.allowed.report({ session, callId }, key, said, checkedResult(result, outcome), actor)
  }

  function hold(
    call: ToolCall<object>,
    options: HoldOptions & AsActor = {},
  ): Promise<Held | Replayed | NotRun> {
    const actor = options.as ?? self
    const { key } = options
    const own = key === undefined ? { key: newKey(), madeUp: true } : { key }
    const taking = takingOf({ ...options, ...own, callId: call?.callId })
    return takeCall(call, taking, actor)
      .then((taken) => (taken.kind === 'claimed' ? toHeld(taken, options, actor) : taken))
      .catch(toRefused)
  }

  /** As in `guardCall`, nothing of the call is kept while it waits. */
  function takeCall(
    call: ToolCall<object>,
    taking: TakeOptions,
    actor: Actor,
  ): Promise<ClaimedCall | Replayed | NotRun> {
    return begin(call, actor, taking).then((begun) => {
      if (begun.kind === 'run') throw new BanksmanError('internal', 'a held call has no key')
      return begun.kind === 'wait' || begun.kind === 'decided' ? settled(begun, taking, actor) : begun
    })
  }

  function newKey(): string {
    return Buffer.from(hall.random.bytes(16)).toString('hex')
  }

  const guardVerbs: GuardVerbs = {
    // The tool gets JSON of the shape that the call has. Only a schema in the definition holds a person's edit to that shape.
    guard: guard as GuardVerbs['guard'],
    hold: hold as GuardVerbs['hold'],
    take: (call, input, actor) =>
      takeCall(call, { ...input, comesBack: true, callId: call.callId }, actor)
        .then((taken) => (taken.kind === 'claimed' ? taken.data : taken))
        .catch(toRefused),
    reportHeld,
    async releaseHeld({ session, callId, key }, cause, actor) {
      checkKey(key)
      checkCause(cause)
      const found = await hall.store.lookup(session, callId, '')
      // Whose session it is not does not learn what is in it (P6).
      const known = found.session?.owner === actor.subject ? found.known : undefined
      const alias = known?.hold?.joined
      const named = alias === undefined ? known : (await hall.store.lookup(session, alias, '')).known
      if (named?.request === undefined) {
        await verbs.allowed.release({ session, callId }, key, cause, actor)
        return {}
      }
      const request = await hall.store.get(named.request)
      const own = request?.joinable === undefined ? key : joinWaiterId(callId, key)
      await verbs.claims.release(named.request, { key: own, cause }, actor)
      if (request?.joinable !== undefined) await releaseJoinLease(hall, named.request, own)
      return { requestId: named.request }
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

function takingOf<T extends HoldOptions>(options: T): T & TakeOptions {
  return options.join === true ? { ...options, joinToken: OWN_TOKEN } : options
}
