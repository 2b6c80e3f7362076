/** The Redis store: many machines on one server, with every verb a script on it. */
import type { Store } from '../store.ts'
import { createCalls } from './calls.ts'
import { openDatabase, type RedisStoreOptions } from './database.ts'
import { createDeliveries } from './deliveries.ts'
import { createGrants } from './grants.ts'
import { createJournal } from './journal.ts'
import { createLeases } from './leases.ts'
import { createPresence } from './presence.ts'
import { createRecords } from './records.ts'
import { createRequests } from './requests.ts'
import { createSessions } from './sessions.ts'
import { createSettings } from './settings.ts'
import { createTokens } from './tokens.ts'
import { createTurnLog } from './turn-log.ts'

/** Throws `store_unavailable` when the server can't be reached, and `invalid_configuration` when it must not be used. */
export async function openRedisStore(options: RedisStoreOptions): Promise<Store> {
  const database = await openDatabase(options)
  return {
    name: 'redis',
    now: database.now,
    ...createRequests(database),
    calls: createCalls(database),
    grants: createGrants(database),
    sessions: createSessions(database),
    turns: createTurnLog(database),
    tokens: createTokens(database),
    presence: createPresence(database),
    deliveries: createDeliveries(database),
    leases: createLeases(database),
    records: createRecords(database),
    journal: createJournal(database),
    settings: createSettings(database),
    watch: database.watch,
    close: database.close,
  }
}
