/** A call that shall follow another one, where there is none. */
import { BanksmanError } from '../core/errors.ts'

export function nothingToSucceed(callId: string): BanksmanError {
  return new BanksmanError(
    'store_unavailable',
    `there is no call ${JSON.stringify(callId)} in the session that another could follow`,
  )
}
