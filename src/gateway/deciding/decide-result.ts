/** What an answer came to, once it is committed: of one request, or of each of several. */
import type { Request } from '../../core/request.ts'
import type { GatewayContext } from '../requests/change-request.ts'

export interface DecideResult {
  request: Request
  /** False: it was a vote, and more are needed. */
  decided: boolean
  /** It was already recorded so, by the same person. */
  repeated: boolean
}

export function toDecideResult(hall: GatewayContext, request: Request, changed: boolean): DecideResult {
  const decided = request.state !== 'pending'
  if (changed && decided) {
    hall.observe({
      kind: 'decided',
      decision: request.progress.decision?.kind ?? request.state,
      waitedMs: (request.progress.decision?.at ?? request.createdAt) - request.createdAt,
    })
  }
  return { request, decided, repeated: !changed }
}
