/** The Redis store: many machines on one server, with every verb a script on it. */
import type { Store } from '../store.ts'
import { openDatabase, type RedisStoreOptions } from './database/database.ts'
import { createCalls } from './verbs/calls.ts'
import { createDeliveries } from './verbs/deliveries.ts'
import { createGrants } from './verbs/grants.ts'
import { createJournal } from './verbs/journal.ts'
import { createLeases } from './verbs/leases.ts'
import { createPresence } from './verbs/presence.ts'
import { createRecords } from './verbs/records.ts'
import { createRequests } from './verbs/requests.ts'
import { createSessions } from './verbs/sessions.ts'
import { createSettings } from './verbs/settings.ts'
import { createTokens } from './verbs/tokens.ts'
import { createTurnLog } from './verbs/turn-log.ts'

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
