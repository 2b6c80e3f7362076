/** A part of the store's contract: see `store.ts`. */

import type { CallHold } from '../core/call-hold.ts'
import type { Reason } from '../core/reasons/reason.ts'
import type { RequestState } from '../core/request.ts'
import type { VerdictKind } from '../core/verdict.ts'
import type { EntryDraft } from '../journal/entry.ts'
import type { Page } from './store.ts'

/** A call for which no request was opened. Its bytes and key are erased by retention. */
export interface CallRecord {
  session: string
  callId: string
  tool: string
  digest: string
  bytes: string
  commitmentKey: string
  verdict: 'allow' | 'deny'
  because: string
  /** Absent on what an earlier version wrote. */
  reason?: Reason
  rule?: string
  policyVersion: string
  submittedBy: string
  createdAt: number
  /** Who took it to run. Given to `lookup` alone: it is in no list and in no history. */
  hold?: CallHold
}

/** A call as it is remembered: as the agent made it, and what became of it. */
export interface PastCall extends Omit<CallRecord, 'verdict' | 'commitmentKey' | 'hold' | 'reason'> {
  verdict: VerdictKind
  /** Where people were asked: the request, as it is now. */
  request?: { id: string; state: RequestState }
}

export interface CallVerbs {
  /** Calls for which no request was opened, newest first. */
  list(query: { session?: string; limit?: number; cursor?: string }): Promise<Page<CallRecord>>
  /** All calls, whether anyone was asked about them or not, the last committed first. */
  history(query: { limit?: number; cursor?: string }): Promise<Page<PastCall>>
  /**
   * Erases bytes (an edit's too), results, commitment keys, contexts and previews of calls and of final requests that were
   * created before the moment, at most `limit` of them, and says how many it erased. With none it writes no entry.
   */
  erase(before: number, limit: number, entry: (count: number) => EntryDraft): Promise<number>
  /**
   * Changes who has a call that nobody was asked about: a compare-and-set on the hold's version (0: it has none). It loses as
   * well where the call id names no such call, or one with another digest. A result is kept as that of a `Change` is.
   */
  changeHold(change: HoldChange): Promise<HoldResult>
  /** The result that was kept with the newest call of this id, word for word. It is in no other answer of the store. */
  result(session: string, callId: string): Promise<string | undefined>
}

export interface HoldChange {
  session: string
  callId: string
  digest: string
  /** The version that its hold must have now. 0: none. */
  version: number
  /** Takes the place of the hold. It is kept with a version one above `version`, whatever it says itself. */
  hold: CallHold
  result?: string
  entry?: EntryDraft
}

/** `hold` is the one that is there; absent where there is none, or no such call with this digest. */
export type HoldResult = { won: true } | { won: false; hold?: CallHold }
