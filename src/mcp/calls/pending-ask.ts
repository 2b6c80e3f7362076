/** A request that a call waits for, as its client may know it. */

export interface PendingAsk {
  requestId?: string | undefined
  /** Where people open the request. */
  url?: string | undefined
  /** Who can decide. */
  approvers?: readonly string[] | undefined
  /** When it ends without an answer, by the clock of this machine. */
  expiresAt?: number | undefined
}

/** What a client shows meanwhile. */
export function waitingLine({ approvers = [], url }: PendingAsk): string {
  const whom = approvers.length === 0 ? 'approval' : approvers.join(' or ')
  return `Waiting for ${whom}${url === undefined ? '' : `: ${url}`}`
}
