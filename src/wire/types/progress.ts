/** What `GET /v1/sessions/{id}/progress` answers: calls are masked, and moments are texts. */
import type { Progress, ProgressCall, ProgressWaiting, TurnProgress } from '../../core/progress.ts'
import type { ShownCall } from './conversation.ts'

export type WireProgress = Omit<Progress, 'turn'> & { turn?: WireTurnProgress }

type WireShown<Call> = Omit<Call, 'arguments' | 'since'> & ShownCall & { since: string }

export type WireTurnProgress = Omit<TurnProgress, 'begunAt' | 'since' | 'recent' | 'waiting' | 'ended'> & {
  begunAt: string
  since: string
  recent: WireShown<ProgressCall>[]
  waiting: WireShown<ProgressWaiting>[]
  ended?: Omit<NonNullable<TurnProgress['ended']>, 'at'> & { at: string }
}
