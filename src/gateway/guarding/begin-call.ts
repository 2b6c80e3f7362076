/**
 * The first step from a call to the right to run it: it is reviewed, and taken where nobody has to be asked. Whatever goes wrong
 * ends in a refusal that says what it was (P5).
 */

import type { Directory } from '../../core/authority.ts'
import { prepareCall, type ToolCall } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'
import { told } from '../../core/reasons/english.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Actor } from '../../core/session.ts'
import { isDuration } from '../../core/time/duration.ts'
import type { Refused } from '../../guard/contract.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import { joinWaiterId } from '../lifecycle/join-request.ts'
import type { ReviewVerb } from '../lifecycle/review.ts'
import type { Review } from '../lifecycle/review-result.ts'
import { checkKey, newRunnerKey } from '../lifecycle/runner-key.ts'
import { callConflict } from '../requests/call-refusals.ts'
import { unknownRequestId } from '../requests/request-refusals.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { AllowedHolds, CallAddress } from './allowed-holds.ts'
import { toAsked } from './guard-result.ts'
import { claimUnlessGone, createTakeAgain, LET_THROUGH, type RepeatCallPorts } from './repeat-call.ts'
import { NO_LONGER_WAITS, type TakenCall, type TakeOptions } from './taken-call.ts'

export interface BeginCallPorts extends RepeatCallPorts {
  store: Pick<Store, 'calls' | 'get' | 'lookup' | 'now'>
  directory: () => Directory
  review: ReviewVerb
  allowed: AllowedHolds
  /** Resolves when all calls that were let through are on disk. */
  recorded(): Promise<void>
  host: Pick<Host, 'clock' | 'closed' | 'random'>
}

export type BeginCall = (call: ToolCall<object>, actor: Actor, taking: TakeOptions) => Promise<TakenCall>

const RETRY_MS = 1000

export function createBeginCall(ports: BeginCallPorts): BeginCall {
  const { store, directory, allowed, recorded, host } = ports
  const takeAgain = createTakeAgain(ports)

  async function begin(call: ToolCall<object>, actor: Actor, taking: TakeOptions): Promise<TakenCall> {
    if (taking.key !== undefined) checkKey(taking.key)
    checkExpiresIn(taking.expiresInMs)
    if (taking.signal?.aborted) return { kind: 'pending', because: 'aborted' }
    if (taking.waitsFor !== undefined) return goOn(taking.waitsFor, call, actor)
    const key = taking.key ?? (taking.runsAtOnce === true ? undefined : newRunnerKey(host))
    const { joinToken } = taking
    const review = await ports.review(call, actor, {
      allowed: key === undefined ? { kind: 'run' } : { kind: 'take', key },
      asksAgain: true,
      can: taking.can,
      asks: taking.asks,
      allowsUnruled: taking.allowsUnruled,
      expiresInMs: taking.expiresInMs,
      join:
        joinToken === undefined || key === undefined
          ? undefined
          : { token: joinToken, waiter: joinWaiterId(call.callId, key) },
    })
    const { verdict, request, repeated } = review
    if (request !== undefined) {
      taking.onAsked?.(toAsked(request, directory(), store.now()))
      if (request.state !== 'pending') return { kind: 'decided', request }
      return { kind: 'wait', id: request.id, tool: request.tool }
    }
    if (verdict.kind === 'deny') {
      return { kind: 'refused', state: 'denied', code: 'denied', ...toldOf(verdict), mayRetry: false }
    }
    const place = { session: call.session, callId: review.callId }
    if (repeated) return takeAgain({ call, review, place, key: key ?? newRunnerKey(host), actor, taking })
    if (key === undefined) return runAtOnce(review, place, taking, actor)
    await recorded().catch((error) => {
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
      return takeAgain({ call, review, place, key, actor, taking })
    }
    return claimUnlessGone(allowed, { call, review, place, key, actor, taking })
  }

  function giveBackLater(place: CallAddress, key: string, actor: Actor, triesLeft = 10): void {
    host.clock.after(RETRY_MS, () => {
      if (host.closed()) return
      allowed.release(place, key, 'nobody heard that it was allowed', actor).catch((error) => {
        if (isStoreFault(error) && triesLeft > 0) giveBackLater(place, key, actor, triesLeft - 1)
      })
    })
  }

  /** Whose request it is not, or which is of another call, does not learn of it (P6). */
  async function goOn(id: string, call: ToolCall<object>, actor: Actor): Promise<TakenCall> {
    const request = await store.get(id)
    const { session, callId, digest } = prepareCall(call)
    const isOurs = request?.submittedBy === actor.subject && request.session === session
    if (!isOurs || request.digest !== digest) throw unknownRequestId(id)
    if (request.callId !== callId) {
      const { known } = await store.lookup(session, callId, '')
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
      await allowed.releaseRun(place, newRunnerKey(host), NO_LONGER_WAITS, actor)
      return { kind: 'pending', because: 'aborted' }
    }
    const run = { kind: 'run' as const, arguments: review.arguments, place }
    if (durable !== true) return run
    await recorded()
    const result = review.record?.result
    if (result === undefined || result.kind === 'recorded') return run
    // Another process has let it through: it is not ours to run (P4).
    return refusedRecord(review, place) ?? LET_THROUGH
  }

  return begin
}

const MAX_EXPIRES_MS = 365 * 86_400_000

function checkExpiresIn(expiresInMs: number | undefined): void {
  if (expiresInMs === undefined || isDuration(expiresInMs, MAX_EXPIRES_MS)) return
  const words = `expiresInMs must be a whole number of milliseconds from 1 to ${MAX_EXPIRES_MS}, which is a year; found ${expiresInMs}`
  throw new BanksmanError('invalid_call', words)
}

/** The session was ended meanwhile, or is somebody else's. */
function refusedRecord({ record }: Review, { session }: CallAddress): Refused | undefined {
  if (record?.result?.kind !== 'refused') return undefined
  const code = record.result.code === 'not_yours' ? 'not_yours' : 'session_ended'
  const why = reasonOf(code === 'not_yours' ? 'session.not-yours-unrun' : 'session.ended-unrun', { session })
  return { kind: 'refused', state: 'error', code, ...told(why), mayRetry: false }
}
