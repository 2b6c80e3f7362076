/**
 * From a call to the right to run it, in two steps: `begin` reviews it, `conclude` claims it once a person has decided. What they
 * give is plain data, so that a server can send it. Whatever goes wrong ends in a refusal that says what it was (P5).
 */

import { contentOf, prepareCall, type ToolCall } from '../../core/call.ts'
import type { CallHold } from '../../core/call-hold.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Outcome, Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { startStopwatch } from '../../core/time/clock.ts'
import type { HoldOptions, NotRun, Refused, Replayed } from '../../guard/contract.ts'
import type { HeldData } from '../../guard/create-held.ts'
import { readResult } from '../../guard/kept-result.ts'
import type { ClaimVerbs } from '../lifecycle/claim.ts'
import { joinWaiterId } from '../lifecycle/join-request.ts'
import type { Review, ReviewVerb } from '../lifecycle/review.ts'
import { checkKey } from '../lifecycle/runner-key.ts'
import type { WaitVerb } from '../lifecycle/wait.ts'
import { callConflict } from '../requests/call-refusals.ts'
import { type GatewayContext, unknownRequestId } from '../requests/change-request.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { AllowedHolds, CallAddress } from './allowed-holds.ts'
import { rejudgeCall } from './current-verdict.ts'
import { toAsked, toNotRun, toRefused } from './guard-result.ts'

export interface TakeVerbs {
  review: ReviewVerb
  wait: WaitVerb
  claims: ClaimVerbs
  allowed: AllowedHolds
  /** Resolves when all calls that were let through are on disk. */
  recorded(): Promise<void>
}

export interface TakeOptions extends HoldOptions {
  /** An allowed call is run at once, without a key. */
  runsAtOnce?: boolean | undefined
  durable?: boolean | undefined
  /** The token of a caller whose call may join an earlier one. */
  joinToken?: string | undefined
  /** As the caller names the call, which may have joined another. */
  callId?: string | undefined
  /** The key was made up here, and nobody else knows it. */
  madeUp?: boolean | undefined
  /** It goes on waiting for this request of the same call, and asks nothing anew. */
  waitsFor?: string | undefined
  /** The caller comes back with its key when its connection drops, and gives the claim back by itself. */
  comesBack?: boolean | undefined
}

/** How long ago the claim was sent goes with it: nobody could have granted it earlier. */
export interface ClaimedCall {
  kind: 'claimed'
  data: HeldData
  request?: Request
  sinceSent: () => number
}

export type TakenCall =
  | NotRun
  | Replayed
  | ClaimedCall
  /** Allowed, and run at once. */
  | { kind: 'run'; arguments: JsonObject; place: CallAddress }
  | { kind: 'wait'; id: string; tool: string }
  | { kind: 'decided'; request: Request }

export function createTakeCall(hall: GatewayContext, verbs: TakeVerbs) {
  async function begin(call: ToolCall<object>, actor: Actor, taking: TakeOptions): Promise<TakenCall> {
    if (taking.key !== undefined) checkKey(taking.key)
    if (taking.signal?.aborted) return { kind: 'pending', because: 'aborted' }
    if (taking.waitsFor !== undefined) return goOn(taking.waitsFor, call, actor)
    const key = taking.key ?? (taking.runsAtOnce === true ? undefined : newRunnerKey(hall))
    const { joinToken } = taking
    const review = await verbs.review(call, actor, {
      allowed: key === undefined ? { kind: 'run' } : { kind: 'take', key },
      asksAgain: true,
      can: taking.can,
      join:
        joinToken === undefined || key === undefined
          ? undefined
          : { token: joinToken, waiter: joinWaiterId(call.callId, key) },
    })
    const { verdict, request, repeated } = review
    if (request !== undefined) {
      taking.onAsked?.(toAsked(request))
      if (request.state !== 'pending') return { kind: 'decided', request }
      return { kind: 'wait', id: request.id, tool: request.tool }
    }
    if (verdict.kind === 'deny') {
      return { kind: 'refused', state: 'denied', code: 'denied', because: verdict.because, mayRetry: false }
    }
    const place = { session: call.session, callId: review.callId }
    if (repeated) return takeAgain(call, review, place, key ?? newRunnerKey(hall), actor, taking)
    if (key === undefined) return runAtOnce(review, place, taking, actor)
    await verbs.recorded().catch((error) => {
      // It may still be written, and then nobody has it.
      if (taking.key === undefined || taking.madeUp === true) giveBackLater(place, key, actor)
      throw error
    })
    const refused = refusedRecord(review, place)
    if (refused !== undefined) return refused
    // Another process has recorded it in the same moment; it is ours only if it did so under our key.
    const result = review.record?.result
    if (result?.kind === 'existing') {
      if (result.digest !== review.digest)
        throw callConflict({ ...place, digest: review.digest }, result.digest)
      return takeAgain(call, review, place, key, actor, taking)
    }
    return notAborted(claimedAllowed(review, place, key), taking, actor)
  }

  /** A caller who is gone by now runs nothing. */
  async function notAborted(claimed: ClaimedCall, taking: TakeOptions, actor: Actor): Promise<TakenCall> {
    if (!taking.signal?.aborted || taking.comesBack === true) return claimed
    await verbs.allowed.release(claimed.data, claimed.data.key, NO_LONGER_WAITS, actor)
    return { kind: 'pending', because: 'aborted' }
  }

  function giveBackLater(place: CallAddress, key: string, actor: Actor, triesLeft = 10): void {
    hall.clock.after(RETRY_MS, () => {
      if (hall.closed()) return
      verbs.allowed.release(place, key, 'nobody heard that it was allowed', actor).catch((error) => {
        if (isStoreFault(error) && triesLeft > 0) giveBackLater(place, key, actor, triesLeft - 1)
      })
    })
  }

  /** Whose request it is not, or which is of another call, does not learn of it (P6). */
  async function goOn(id: string, call: ToolCall<object>, actor: Actor): Promise<TakenCall> {
    const request = await hall.store.get(id)
    const { session, callId, digest } = prepareCall(call)
    const isOurs = request?.submittedBy === actor.subject && request.session === session
    if (!isOurs || request.digest !== digest) throw unknownRequestId(id)
    if (request.callId !== callId) {
      const { known } = await hall.store.lookup(session, callId, '')
      if (known?.hold?.joined !== request.callId) throw unknownRequestId(id)
    }
    if (request.state !== 'pending') return { kind: 'decided', request }
    return { kind: 'wait', id, tool: request.tool }
  }

  async function runAtOnce(
    review: Review,
    place: CallAddress,
    { durable, signal }: TakeOptions,
    actor: Actor,
  ): Promise<TakenCall> {
    if (signal?.aborted) {
      await verbs.allowed.releaseRun(place, newRunnerKey(hall), NO_LONGER_WAITS, actor)
      return { kind: 'pending', because: 'aborted' }
    }
    const run = { kind: 'run' as const, arguments: review.arguments, place }
    if (durable !== true) return run
    await verbs.recorded()
    const result = review.record?.result
    if (result === undefined || result.kind === 'recorded') return run
    // Another process has let it through: it is not ours to run (P4).
    return refusedRecord(review, place) ?? LET_THROUGH
  }

  /** The session was ended meanwhile, or is somebody else's. */
  function refusedRecord({ record }: Review, { session }: CallAddress): Refused | undefined {
    if (record?.result?.kind !== 'refused') return undefined
    const code = record.result.code === 'not_yours' ? 'not_yours' : 'session_ended'
    const because = `session ${JSON.stringify(session)} ${code === 'not_yours' ? 'belongs to someone else' : 'was ended'}; nothing was run`
    return { kind: 'refused', state: 'error', code, because, mayRetry: false }
  }

  /** A call that was allowed before: reviewed only, given back, taken under this very key, or gone. */
  async function takeAgain(
    call: ToolCall<object>,
    review: Review,
    place: CallAddress,
    key: string,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<TakenCall> {
    const { hold } = review
    if (hold?.state === 'done') return replayedHold(hold, place, actor, taking)
    if (review.repeated && hold === undefined) return LET_THROUGH
    // Unless it is the very same hold again: what was allowed a while ago must be allowed now (P5).
    if (hold?.state === 'reviewed' || hold?.state === 'released') {
      const { kind, because } = await rejudgeCall(hall, call, actor)
      if (kind === 'deny')
        return { kind: 'refused', state: 'denied', code: 'denied', because, mayRetry: false }
      if (kind === 'ask') {
        const words = `it was allowed before, and needs approval by now: ${because}. Make a new call`
        return { kind: 'refused', state: 'denied', code: 'denied', because: words, mayRetry: false }
      }
    }
    try {
      await verbs.allowed.take(place, key, actor)
    } catch (error) {
      if (!isBanksmanError(error, 'already_claimed')) throw error
      if (error.details.state !== 'done') return { ...LET_THROUGH, because: error.message }
      const { known } = await hall.store.lookup(place.session, place.callId, '')
      return known?.hold === undefined ? LET_THROUGH : replayedHold(known.hold, place, actor, taking)
    }
    return notAborted(claimedAllowed(review, place, key), taking, actor)
  }

  function claimedAllowed(review: Review, place: CallAddress, key: string): ClaimedCall {
    const data: HeldData = { kind: 'held', key, ...place, arguments: review.arguments }
    return { kind: 'claimed', data, sinceSent: () => 0 }
  }

  async function replayedHold(
    { by, outcome }: CallHold,
    place: CallAddress,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<Replayed | Refused> {
    const replayed = by === actor.subject && outcome !== undefined && (await replay(place, outcome))
    if (replayed) return replayed
    const because = `the call has already run: ${outcome?.kind ?? 'done'}${notKept(taking)}`
    return { ...LET_THROUGH, state: 'done', code: 'already_claimed', because }
  }

  async function replay(place: CallAddress, outcome: Outcome): Promise<Replayed | undefined> {
    const text = await hall.store.calls.result(place.session, place.callId)
    if (text === undefined) return undefined
    return { kind: 'ran', ...readResult(text), replayed: true, ranAt: outcome.at }
  }

  /** Claims what was approved; says what became of everything else. */
  async function conclude(
    request: Request,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<ClaimedCall | Replayed | NotRun> {
    const { state, progress } = request
    if (state === 'pending') {
      const because = taking.signal?.aborted ? 'aborted' : 'hold_over'
      return { kind: 'pending', because, requestId: request.id }
    }
    const key = taking.key ?? newRunnerKey(hall)
    // Of a request that others may join, a key is good for one call.
    const claimKey = request.joinable === undefined ? key : joinWaiterId(taking.callId ?? request.callId, key)
    const isOurs =
      state === 'running' && progress.claim?.key === claimKey && progress.claim?.by === actor.subject
    if (state !== 'approved' && !isOurs) return ended(request, actor, taking)
    if (taking.signal?.aborted) return { kind: 'pending', because: 'aborted', requestId: request.id }
    const { digest, bytes } = progress.approved!
    if (bytes !== undefined && taking.can?.edit === false) return cantCarry(request, bytes)
    const sinceSent = startStopwatch(hall.clock)
    const sentAt = hall.store.now()
    let claimed: Awaited<ReturnType<ClaimVerbs['claim']>>
    try {
      claimed = await verbs.claims.claim(request.id, { digest, key: claimKey }, actor)
      const { id: claimId, at } = claimed.request.progress.claim!
      // The answer to an earlier claim with this key was lost: its lease is older than whoever asks now can know.
      if (at < sentAt) await verbs.claims.renew(request.id, claimId, actor)
    } catch (error) {
      return claimRefused(request, error, actor, taking)
    }
    if (taking.signal?.aborted && taking.comesBack !== true) {
      await verbs.claims.release(request.id, { key: claimKey, cause: NO_LONGER_WAITS }, actor)
      return { kind: 'pending', because: 'aborted', requestId: request.id }
    }
    const { decision, approved, claim } = claimed.request.progress
    const data: HeldData = {
      kind: 'held',
      key,
      session: request.session,
      callId: taking.callId ?? request.callId,
      arguments: claimed.arguments,
      ...(approved?.bytes === undefined ? {} : { edited: contentOf(approved.bytes).arguments }),
      ...defined({ by: decision?.by }),
      requestId: request.id,
      claimId: claimed.claimId,
      leaseMs: claim!.leaseMs,
    }
    return { kind: 'claimed', data, request: claimed.request, sinceSent }
  }

  /** Somebody else was faster, or the approval is over: what became of it is said with the request. */
  async function claimRefused(
    request: Request,
    error: unknown,
    actor: Actor,
    taking: TakeOptions,
  ): Promise<Replayed | NotRun> {
    if (!isBanksmanError(error) || !ENDED.has(error.code)) throw error
    const now = await verbs.wait(request.id, { holdMs: 0 }).catch(() => request)
    if (now.state === 'approved' || now.state === 'pending') throw error
    const result = await ended(now, actor, taking)
    return result.kind === 'refused' && error.code === 'facts_changed'
      ? { ...result, code: error.code }
      : result
  }

  async function ended(request: Request, actor: Actor, taking: TakeOptions): Promise<Replayed | NotRun> {
    const told = toNotRun(request)
    if (request.state !== 'done' || told.kind !== 'refused' || request.submittedBy !== actor.subject)
      return told
    const { outcome, decision, approved } = request.progress
    const replayed = outcome && (await replay(request, outcome))
    if (replayed === undefined) return { ...told, because: `${told.because}${notKept(taking)}` }
    return {
      ...replayed,
      requestId: request.id,
      ...defined({ by: decision?.by }),
      ...(approved?.bytes === undefined ? {} : { edited: contentOf(approved.bytes).arguments }),
    }
  }

  return { begin, conclude }
}

/** What a claim is refused with when the request is no longer what it was. */
const ENDED: ReadonlySet<ErrorCode> = new Set([
  'already_claimed',
  'not_approved',
  'expired',
  'cancelled',
  'facts_changed',
  'lease_lapsed',
  'not_running',
] satisfies ErrorCode[])

const RETRY_MS = 1000
const NO_LONGER_WAITS = 'the caller no longer waits'

const LET_THROUGH: Refused = {
  kind: 'refused',
  state: 'error',
  code: 'already_claimed',
  because: 'a call with this id was let through before and may have run; give a new call a new id',
  mayRetry: false,
}

function notKept({ remember }: TakeOptions): string {
  return remember === undefined || remember === false ? '' : '; its result was not kept'
}

function cantCarry(request: Request, bytes: string): Refused {
  const { arguments: approved } = contentOf(bytes)
  const error = new BanksmanError(
    'digest_mismatch',
    `${request.progress.decision?.by} changed the arguments, and whoever runs the call can't be given other ones. Approved were ${JSON.stringify(approved)}; make a new call with these`,
  )
  return { ...toRefused(error), state: request.state, requestId: request.id }
}

function newRunnerKey(hall: GatewayContext): string {
  return Buffer.from(hall.random.bytes(16)).toString('hex')
}
