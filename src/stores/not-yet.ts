/** Verbs that the Postgres and Redis stores don't have yet. */
import { BanksmanError } from '../core/errors.ts'
import type { RecordVerbs } from './record-verbs.ts'

export async function notYet(): Promise<never> {
  throw new BanksmanError('store_unavailable', 'this store does not have this verb yet; use SQLite')
}

export const NO_RECORDS: RecordVerbs = { get: notYet, change: notYet, list: notYet }
