/** Why a call is not taken at all, in words that say what would be right. */

import type { PreparedCall } from '../../core/call.ts'
import type { BanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'

export function sessionRefusal(code: 'session_ended' | 'not_yours', session: string): BanksmanError {
  return code === 'not_yours' ? sessionNotYours(session) : sessionEndedRefusal(session)
}

export function tooManyPending(session: string, limit: number): BanksmanError {
  return reasonedError('too_many_pending', reasonOf('session.full', { session, limit }), { limit })
}

export function sessionNotYours(session: string): BanksmanError {
  return reasonedError('not_yours', reasonOf('session.not-yours', { session }))
}

export function sessionEndedRefusal(session: string, ended?: { by: string; reason?: string }): BanksmanError {
  return reasonedError('session_ended', endedReason(session, ended))
}

function endedReason(session: string, ended: { by: string; reason?: string } | undefined): Reason {
  if (ended === undefined) return reasonOf('session.ended', { session })
  const { by, reason: why } = ended
  return why === undefined
    ? reasonOf('session.ended-by', { session, by })
    : reasonOf('session.ended-because', { session, by, why })
}

export function callConflict(
  { session, callId, digest: found }: Pick<PreparedCall, 'session' | 'callId' | 'digest'>,
  digest: string,
): BanksmanError {
  return reasonedError('call_conflict', reasonOf('call.reused', { call: callId, session }), { digest, found })
}
