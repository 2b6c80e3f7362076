/**
 * The memory store: everything is lost with the process. It is for tests, for trying things out, and for programs
 * whose approvals need not outlive them. It keeps the whole contract but durability.
 */
import type { JsonValue } from '../../core/json/json.ts'
import type { SettingVerbs, Store } from '../store.ts'
import { type Applier, createApplier } from './tables/applier.ts'
import { frozenCopy } from './tables/frozen-copy.ts'
import { createRequestTable } from './tables/request-table.ts'
import { createCalls } from './verbs/calls.ts'
import { createDeliveries } from './verbs/deliveries.ts'
import { createGrants } from './verbs/grants.ts'
import { createJournal, type MemoryJournal } from './verbs/journal.ts'
import { createLeases } from './verbs/leases.ts'
import { createPresence, createTokens } from './verbs/people.ts'
import { createRecords } from './verbs/records.ts'
import { createRequests } from './verbs/requests.ts'
import { createSessions } from './verbs/sessions.ts'
import { createTurnLog } from './verbs/turn-log.ts'

export interface MemoryStoreOptions {
  /** Taken for likeness with the other stores: each memory store is a namespace of its own. */
  namespace?: string
  /** The store's time. The default is the host's. */
  now?: () => number
}

export function openMemoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const applier = createApplier()
  const journal = createJournal(applier)
  const sessions = createSessions(applier, journal)
  const grants = createGrants(applier, now, journal)
  const deliveries = createDeliveries(applier, now)
  const book = createRequestTable()
  const calls = createCalls(applier, journal, book)
  return {
    name: 'memory',
    now,
    ...createRequests({ applier, now, journal, sessions, grants, deliveries, calls, book }),
    calls,
    grants,
    sessions,
    turns: createTurnLog({ applier, now, journal, sessions }),
    tokens: createTokens(applier, now, journal),
    presence: createPresence(applier, now),
    deliveries,
    leases: createLeases(applier, now),
    records: createRecords(applier, now, journal),
    journal,
    settings: createSettings(applier, journal),
    watch: (listener) => applier.onChange(listener),
    close: () => applier.close(),
  }
}

function createSettings(applier: Applier, journal: MemoryJournal): SettingVerbs {
  const values = new Map<string, JsonValue>()
  return {
    change: (key, before, value, entry) =>
      applier.write(() => {
        if (JSON.stringify(values.get(key)) !== JSON.stringify(before)) return false
        values.set(key, frozenCopy(value))
        if (entry !== undefined) journal.add(entry)
        return true
      }),
    get: (key) => applier.read(() => values.get(key)),
    set: (key, value, entry) =>
      applier.write(() => {
        values.set(key, frozenCopy(value))
        if (entry !== undefined) journal.add(entry)
      }),
  }
}
