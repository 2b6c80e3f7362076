/** The SQLite store: one file, several processes, no server. The default. */

import type { JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { EntryDraft } from '../../journal/entry.ts'
import type { SettingVerbs, Store } from '../store.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts'
import { createCalls } from './verbs/calls.ts'
import { createDeliveries } from './verbs/deliveries.ts'
import { createGrants } from './verbs/grants.ts'
import { createJournal, type SqliteJournal } from './verbs/journal.ts'
import { createLeases } from './verbs/leases.ts'
import { createPresence, createTokens } from './verbs/people.ts'
import { createRecords } from './verbs/records.ts'
import { createRequests } from './verbs/requests.ts'
import { createResults } from './verbs/results.ts'
import { createSessions } from './verbs/sessions.ts'
import { createTurnLog } from './verbs/turn-log.ts'

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
  { namespace = 'default', now = Date.now, report }: SqliteStoreOptions,
): Store {
  const journal = createJournal(database, namespace)
  const sessions = createSessions(database, namespace, journal)
  const grants = createGrants(database, namespace, now, journal)
  const results = createResults(database, namespace)
  return {
    name: 'sqlite',
    now,
    ...createRequests({ database, ns: namespace, now, journal, sessions, grants, results }),
    calls: createCalls(database, namespace, journal, results),
    grants,
    sessions,
    turns: createTurnLog({ database, ns: namespace, now, journal, sessions }),
    tokens: createTokens(database, now, journal, report),
    presence: createPresence(database, namespace, now),
    deliveries: createDeliveries(database, namespace, now),
    leases: createLeases(database, namespace, now),
    records: createRecords(database, namespace, now, journal),
    journal,
    settings: createSettings(database, namespace, journal),
    watch: (listener) => database.onChange(listener),
    close: () => database.close(),
  }
}

function createSettings(database: Database, ns: string, journal: SqliteJournal): SettingVerbs {
  const sql = (text: string) => database.statement(text)
  const read = (key: string): string | undefined => {
    const row = sql('SELECT value FROM settings WHERE ns = ? AND key = ?').get(ns, key)
    return row === undefined ? undefined : String(row.value)
  }
  const write = (key: string, value: JsonValue, entry: EntryDraft | undefined): void => {
    sql(
      'INSERT INTO settings (ns, key, value) VALUES (?, ?, ?) ON CONFLICT (ns, key) DO UPDATE SET value = excluded.value',
    ).run(ns, key, JSON.stringify(value))
    if (entry !== undefined) journal.add(entry)
  }
  return {
    async get(key) {
      const text = database.read(() => read(key))
      return text === undefined ? undefined : parseJson(text)
    },
    set: (key, value, entry) => database.write(() => write(key, value, entry)),
    change: (key, before, value, entry) =>
      database.write(() => {
        // What was parsed from a text is written as that text again.
        if (read(key) !== (before === undefined ? undefined : JSON.stringify(before))) return false
        write(key, value, entry)
        return true
      }),
  }
}
