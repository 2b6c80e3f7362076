/** Writes down that someone tried what they may not; at most once a minute for a person and a request (P6). */
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { type GatewayContext, unknownRequestId } from './change-request.ts'

const ONCE_IN_MS = 60_000
/** An attacker can make up requests to try on only as fast as agents open them; this bounds the memory all the same. */
const MAX_REMEMBERED = 10_000

export async function refuseAttempt(
  hall: GatewayContext,
  request: Request,
  actor: Actor,
  code: ErrorCode,
  message: string,
): Promise<BanksmanError> {
  const key = JSON.stringify([actor.subject, request.id])
  const now = hall.store.now()
  const last = hall.attempts.get(key)
  if (last === undefined || now - last >= ONCE_IN_MS) {
    if (hall.attempts.size >= MAX_REMEMBERED) hall.attempts.clear()
    hall.attempts.set(key, now)
    const { subject, role, via } = actor
    const entry = hall.entry('attempt.refused', { on: request.id, by: subject, role, via, code })
    // The refusal stands whether or not it can be written down.
    await hall.store.journal
      .append(entry)
      .catch((error) => hall.report({ doing: 'writing down an attempt', error }))
  }
  return new BanksmanError(code, message, code === 'unknown_id' ? {} : { state: request.state })
}

/** An agent's credential does nothing of a person's (P11), and does not learn of another's request that it exists (P6). */
export function refuseAgent(
  hall: GatewayContext,
  request: Request,
  actor: Actor,
  what: string,
): Promise<BanksmanError> {
  return request.submittedBy === actor.subject
    ? refuseAttempt(hall, request, actor, 'forbidden', `an agent's credential can't ${what} anything`)
    : refuseAttempt(hall, request, actor, 'unknown_id', unknownRequestId(request.id).message)
}
