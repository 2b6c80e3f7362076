/** What taking a call comes to: the right to run it, an answer in its place, or why it doesn't run. Plain data but for `sinceSent`. */

import type { JsonObject } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { type Because, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { HandedOver, Outcome, Request } from '../../core/request.ts'
import type { HoldOptions, NotRun, Replayed } from '../../guard/contract.ts'
import type { HeldData } from '../../guard/create-held.ts'
import { readResult } from '../../guard/kept-result.ts'
import type { Store } from '../../stores/store.ts'
import type { ForcedAsk } from '../judging/forced-ask.ts'
import type { CallAddress } from './allowed-holds.ts'

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
  /** Whoever runs it can't be asked: see `hand-over.ts`. */
  handOver?: HandedOver | undefined
  /** See `AsActor` in `guard.ts`; nobody elsewhere can say either. */
  asks?: ForcedAsk | undefined
  /** See `allow-unruled.ts`; nobody elsewhere can say. */
  allowsUnruled?: boolean | undefined
  expiresInMs?: number | undefined
}

/** How long ago the claim was sent goes with it: nobody could have granted it earlier. */
export interface ClaimedCall {
  kind: 'claimed'
  data: HeldData
  request?: Request
  /** Nobody was asked because people have allowed it before. */
  isGranted?: boolean
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

/** What is recorded of a call that is given back because its caller has gone. */
export const NO_LONGER_WAITS = 'the caller no longer waits'

/** The kept result of a call that has run; undefined where none was kept. */
export async function replayResult(
  store: Pick<Store, 'calls'>,
  { session, callId }: CallAddress,
  outcome: Outcome,
): Promise<Replayed | undefined> {
  const text = await store.calls.result(session, callId)
  if (text === undefined) return undefined
  return { kind: 'ran', ...readResult(text), replayed: true, ranAt: outcome.at }
}

/** Of a call that has run: where its result was to be kept, it is said that it was not. */
export function withoutResult(one: Because, { remember }: TakeOptions): Because {
  if (remember === undefined || remember === false) return toldOf(one)
  return told(reasonOf('refused.not-kept', { why: one.reason ?? one.because }))
}
