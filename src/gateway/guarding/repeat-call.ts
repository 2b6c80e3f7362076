/** A call that was allowed before, and is made once more: it was only reviewed, given back, taken under this very key, or has run. */

import { prepareCall, type ToolCall } from '../../core/call.ts'
import { alreadyRan, type CallHold } from '../../core/call-hold.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { told } from '../../core/reasons/english.ts'
import { type Because, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { toldBy } from '../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../core/session.ts'
import type { Refused, Replayed } from '../../guard/contract.ts'
import type { HeldData } from '../../guard/create-held.ts'
import type { Store } from '../../stores/store.ts'
import { isUnsettled, type Joins, unsettledAsk } from '../lifecycle/join-request.ts'
import type { Review } from '../lifecycle/review-result.ts'
import type { AllowedHolds, CallAddress } from './allowed-holds.ts'
import { type CurrentVerdictPorts, rejudgeCall } from './current-verdict.ts'
import {
  type ClaimedCall,
  NO_LONGER_WAITS,
  replayResult,
  type TakenCall,
  type TakeOptions,
  withoutResult,
} from './taken-call.ts'

export interface RepeatCallPorts extends CurrentVerdictPorts {
  store: Pick<Store, 'calls' | 'lookup'>
  joins: Pick<Joins, 'findSame'>
  allowed: Pick<AllowedHolds, 'take' | 'release'>
}

export interface RepeatedCall {
  call: ToolCall<object>
  review: Review
  place: CallAddress
  key: string
  actor: Actor
  taking: TakeOptions
}

export const LET_THROUGH: Refused = {
  kind: 'refused',
  state: 'error',
  code: 'already_claimed',
  ...told(reasonOf('call.let-through')),
  mayRetry: false,
}

export function createTakeAgain(ports: RepeatCallPorts): (repeated: RepeatedCall) => Promise<TakenCall> {
  const { store, joins, allowed } = ports

  async function takeAgain(attempt: RepeatedCall): Promise<TakenCall> {
    const { call, review, place, key, actor } = attempt
    const { hold } = review
    if (hold?.state === 'done') return replayedHold(hold, attempt)
    if (review.repeated && hold === undefined) return LET_THROUGH
    // Nobody was asked about it then, and a person's word is wanted now.
    if (attempt.taking.asks !== undefined) return needsApproval(attempt.taking.asks)
    // Unless it is the very same hold again: what was allowed a while ago must be allowed now (P5).
    if (hold?.state === 'reviewed' || hold?.state === 'released') {
      const judged = await rejudgeCall(ports, call, actor)
      if (judged.kind === 'deny')
        return { kind: 'refused', state: 'denied', code: 'denied', ...toldOf(judged), mayRetry: false }
      if (judged.kind === 'ask') return needsApproval(judged)
      const token = attempt.taking.joinToken
      const same = token === undefined ? undefined : await joins.findSame(prepareCall(call), { token })
      if (same !== undefined && isUnsettled(same)) return needsApproval(unsettledAsk(same))
    }
    try {
      await allowed.take(place, key, actor)
    } catch (error) {
      if (!isBanksmanError(error, 'already_claimed')) throw error
      if (error.details.state !== 'done') return { ...LET_THROUGH, ...toldBy(error) }
      const { known } = await store.lookup(place.session, place.callId, '')
      return known?.hold === undefined ? LET_THROUGH : replayedHold(known.hold, attempt)
    }
    return claimUnlessGone(allowed, attempt)
  }

  async function replayedHold(
    { by, outcome }: CallHold,
    { place, actor, taking }: RepeatedCall,
  ): Promise<Replayed | Refused> {
    const replayed =
      by === actor.subject && outcome !== undefined && (await replayResult(store, place, outcome))
    if (replayed) return replayed
    const why = withoutResult(told(alreadyRan(outcome)), taking)
    return { ...LET_THROUGH, state: 'done', code: 'already_claimed', ...why }
  }

  return takeAgain
}

function needsApproval({ because, reason = reasonOf('written', { words: because }) }: Because): Refused {
  const why = reasonOf('refused.needs-approval-now', { why: reason })
  return { kind: 'refused', state: 'denied', code: 'denied', ...told(why), mayRetry: false }
}

/** A caller who is gone by now runs nothing. */
export async function claimUnlessGone(
  allowed: Pick<AllowedHolds, 'release'>,
  { review, place, key, actor, taking }: RepeatedCall,
): Promise<ClaimedCall | TakenCall> {
  if (!taking.signal?.aborted || taking.comesBack === true) {
    const data: HeldData = { kind: 'held', key, ...place, arguments: review.arguments }
    return { kind: 'claimed', data, isGranted: review.isGranted === true, sinceSent: () => 0 }
  }
  await allowed.release(place, key, NO_LONGER_WAITS, actor)
  return { kind: 'pending', because: 'aborted' }
}
