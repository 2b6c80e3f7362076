/** Why a request can't be changed, read or run, with what is recorded of it. */
import type { BanksmanError, ErrorCode } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { type PlainCode, reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { Progress, Request } from '../../core/request.ts'

/** The recorded decision goes with every refusal, so that the loser of a race learns who won (P2). */
export function requestRefusal(code: ErrorCode, reason: Reason, request: Request): BanksmanError {
  const { said: _, ...outcome } = request.progress.outcome ?? {}
  return reasonedError(code, reason, {
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
  const [code, why] = deadlineWords(request, guard)
  return requestRefusal(code, reasonOf(why), request)
}

function deadlineWords(
  { state }: Request,
  guard: 'before_deadline' | 'after_deadline',
): [ErrorCode, PlainCode] {
  if (guard === 'after_deadline') return ['invalid', 'request.too-early']
  if (state === 'pending') return ['expired', 'request.late']
  if (state === 'approved') return ['not_approved', 'request.lapsed']
  return ['lease_lapsed', 'request.lease-over']
}

export function unknownRequestId(id: string): BanksmanError {
  return reasonedError('unknown_id', noSuchRequest(id))
}

/** The same for who may not know of it (P6). */
export function noSuchRequest(id: string): Reason {
  return reasonOf('problem.no-request', { id })
}

export function unknownSession(id: string): BanksmanError {
  return reasonedError('unknown_id', reasonOf('problem.no-session', { id }))
}

export function stopReason(request: Request): BanksmanError {
  const stop = request.progress.stop ?? request.progress.cancelled
  const by = stop?.by ?? reasonOf('name.agent')
  const why = stop?.reason
  return reasonedError(
    'cancelled',
    why ? reasonOf('request.stopped-because', { by, why }) : reasonOf('request.stopped', { by }),
  )
}
