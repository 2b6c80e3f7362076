/** What somebody says is checked before it is kept: a session that no call could be made in would hold up its turn for ever. */

import { LIMITS } from '../../core/call.ts'
import type { Saying } from '../../core/conversation.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'

const MAX_WORDS = 64 * 1024

export function checkSessionName(session: string): void {
  if (typeof session !== 'string' || session === '' || session.length > LIMITS.id)
    throw new BanksmanError('invalid', `the session must have a name of 1 to ${LIMITS.id} characters`)
  if (/[\p{C}\p{Z}]/u.test(session) || !session.isWellFormed())
    throw new BanksmanError(
      'invalid',
      "the session's name must not contain spaces, control or invisible characters",
    )
}

export function checkMessage({ session, text }: Saying): void {
  checkSessionName(session)
  if (typeof text !== 'string' || text.trim() === '')
    throw reasonedError('invalid', reasonOf('message.empty'))
  if (text.length > MAX_WORDS)
    throw reasonedError('too_large', reasonOf('message.long', { length: text.length, limit: MAX_WORDS }))
  if (!text.isWellFormed())
    throw new BanksmanError('invalid', 'text has a lone surrogate, which no UTF-8 can carry')
}
