/** Why a call is not taken at all, in words that say what would be right. */
import type { PreparedCall } from '../../core/call.ts'
import { BanksmanError } from '../../core/errors.ts'

export function sessionRefusal(code: 'session_ended' | 'not_yours', session: string): BanksmanError {
  return code === 'not_yours' ? sessionNotYours(session) : sessionEndedRefusal(session)
}

export function tooManyPending(session: string, limit: number): BanksmanError {
  return new BanksmanError(
    'too_many_pending',
    `session ${JSON.stringify(session)} already has ${limit} requests waiting for a person; wait for some to be decided, or cancel them`,
    { limit },
  )
}

export function sessionNotYours(session: string): BanksmanError {
  return new BanksmanError(
    'not_yours',
    `session ${JSON.stringify(session)} belongs to someone else; use a session id of your own`,
  )
}

export function sessionEndedRefusal(session: string, by?: { by: string; reason?: string }): BanksmanError {
  const who = by === undefined ? '' : ` by ${by.by}${by.reason === undefined ? '' : `: ${by.reason}`}`
  return new BanksmanError(
    'session_ended',
    `session ${JSON.stringify(session)} was ended${who}; nothing more runs in it`,
  )
}

export function callConflict(
  { session, callId, digest: found }: Pick<PreparedCall, 'session' | 'callId' | 'digest'>,
  digest: string,
): BanksmanError {
  return new BanksmanError(
    'call_conflict',
    `call id ${JSON.stringify(callId)} was already used in session ${JSON.stringify(session)} for another call; every call needs an id of its own`,
    { digest, found },
  )
}
