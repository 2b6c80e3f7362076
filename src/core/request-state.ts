/** The closed lists of a request. They are apart from `request.ts` so that a browser can load them. */

export const REQUEST_KINDS = ['approval', 'question'] as const

export type RequestKind = (typeof REQUEST_KINDS)[number]

export const STATES = [
  'pending',
  'approved',
  'running',
  'unknown',
  'done',
  'lapsed',
  'cancelled',
  'rejected',
  'answered',
  'declined',
  'terminated',
  'expired',
  'unreachable',
] as const

export type RequestState = (typeof STATES)[number]

/** The states in which something can still happen by itself: they carry a deadline. */
export const LIVE_STATES: readonly RequestState[] = ['pending', 'approved', 'running']

export function isFinal(state: RequestState): boolean {
  // `unknown` still takes a late report or a person's word.
  return !LIVE_STATES.includes(state) && state !== 'unknown'
}

export const CANCEL_CAUSES = [
  'withdrawn',
  'interrupted',
  'session_ended',
  'revoked',
  'denied_at_claim',
  'facts_changed',
  'terms_changed',
] as const

export type CancelCause = (typeof CANCEL_CAUSES)[number]

/** How a call ended that ran. */
export const OUTCOMES = ['ok', 'error'] as const

export type OutcomeKind = (typeof OUTCOMES)[number]
