/** The SQLite store: one file, several processes, no server. The default. */
import type { JsonValue } from '../../core/json.ts'
import type { SettingVerbs, Store } from '../store.ts'
import { createCalls } from './calls.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { createGrants } from './grants.ts'
import { createJournal, type SqliteJournal } from './journal.ts'
import { createDeliveries, createPresence, createTokens } from './people.ts'
import { createRequests } from './requests.ts'
import { createSessions } from './sessions.ts'
import { createTurnLog } from './turn-log.ts'

export interface SqliteStoreOptions extends DatabaseOptions {
  namespace?: string
  /** The store's time. The default is the host's. */
  now?: () => number
}

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const database = openDatabase(options)
  try {
    return createStore(database, options)
  } catch (error) {
    void database.close()
    throw error
  }
}

function createStore(
  database: Database,
  { namespace = 'default', now = Date.now }: SqliteStoreOptions,
): Store {
  const journal = createJournal(database, namespace)
  const sessions = createSessions(database, namespace, journal)
  const grants = createGrants(database, namespace, now, journal)
  return {
    name: 'sqlite',
    now,
    ...createRequests({ database, ns: namespace, now, journal, sessions, grants }),
    calls: createCalls(database, namespace, journal),
    grants,
    sessions,
    turns: createTurnLog({ database, ns: namespace, now, journal, sessions }),
    tokens: createTokens(database, now, journal),
    presence: createPresence(database, namespace, now),
    deliveries: createDeliveries(database, namespace, now),
    journal,
    settings: createSettings(database, namespace, journal),
    watch: (listener) => database.onChange(listener),
    close: () => database.close(),
  }
}

function createSettings(database: Database, ns: string, journal: SqliteJournal): SettingVerbs {
  return {
    async get(key) {
      const row = database.read(() =>
        database.statement('SELECT value FROM settings WHERE ns = ? AND key = ?').get(ns, key),
      )
      return row === undefined ? undefined : (JSON.parse(String(row.value)) as JsonValue)
    },
    set: (key, value, entry) =>
      database.write(() => {
        database
          .statement(
            'INSERT INTO settings (ns, key, value) VALUES (?, ?, ?) ON CONFLICT (ns, key) DO UPDATE SET value = excluded.value',
          )
          .run(ns, key, JSON.stringify(value))
        if (entry !== undefined) journal.add(entry)
      }),
  }
}
