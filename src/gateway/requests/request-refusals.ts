/** Why a request can't be changed, read or run, with what is recorded of it. */
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import type { Progress, Request } from '../../core/request.ts'

/** The recorded decision goes with every refusal, so that the loser of a race learns who won (P2). */
export function requestRefusal(code: ErrorCode, message: string, request: Request): BanksmanError {
  const { said: _, ...outcome } = request.progress.outcome ?? {}
  return new BanksmanError(code, message, {
    state: request.state,
    version: request.version,
    ...recordedDecisionOf(request.progress),
    ...(request.progress.outcome === undefined ? {} : { outcome }),
  })
}

/** What was decided, with every vote that it took. */
export function recordedDecisionOf({ decision, votes = [] }: Progress): Pick<Progress, 'decision' | 'votes'> {
  return decision === undefined ? {} : { decision, ...(votes.length === 0 ? {} : { votes }) }
}

/** The store's time was on the other side of the deadline that a change depends on. */
export function deadlineRefusal(
  request: Request,
  guard: 'before_deadline' | 'after_deadline',
): BanksmanError {
  const [code, message] = deadlineWords(request, guard)
  return requestRefusal(code, message, request)
}

function deadlineWords({ state }: Request, guard: 'before_deadline' | 'after_deadline'): [ErrorCode, string] {
  if (guard === 'after_deadline') return ['invalid', 'the deadline has not come yet']
  if (state === 'pending') return ['expired', 'the request has expired']
  if (state === 'approved') return ['not_approved', 'the approval has lapsed: it was not claimed in time']
  return ['lease_lapsed', 'the lease ended before it was renewed']
}

export function unknownRequestId(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no request ${JSON.stringify(id)}`)
}

export function unknownSession(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no session ${JSON.stringify(id)}`)
}

export function stopReason(request: Request): BanksmanError {
  const stop = request.progress.stop ?? request.progress.cancelled
  const by = stop?.by ?? 'the agent'
  return new BanksmanError('cancelled', `stopped by ${by}${stop?.reason ? `: ${stop.reason}` : ''}`)
}
