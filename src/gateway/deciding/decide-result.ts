/** What an answer came to, once it is committed: of one request, or of each of several. */
import type { Request } from '../../core/request.ts'
import type { Host } from '../host.ts'
import type { ChangeResult } from '../requests/change-request.ts'

export interface DecideResult {
  request: Request
  /** False: it was a vote, and more are needed. */
  decided: boolean
  /** It was already recorded so, by the same person. */
  repeated: boolean
}

export function toDecideResult(
  host: Pick<Host, 'observe'>,
  { request, changed }: ChangeResult,
): DecideResult {
  const decided = request.state !== 'pending'
  if (changed && decided) {
    host.observe({
      kind: 'decided',
      decision: request.progress.decision?.kind ?? request.state,
      waitedMs: (request.progress.decision?.at ?? request.createdAt) - request.createdAt,
    })
  }
  return { request, decided, repeated: !changed }
}
