/**
 * The memory store: everything is lost with the process. It is for tests, for trying things out, and for programs
 * whose approvals need not outlive them. It keeps the whole contract but durability.
 */
import type { JsonValue } from '../../core/json.ts'
import type { SettingVerbs, Store } from '../store.ts'
import { type Applier, createApplier } from './applier.ts'
import { createCalls } from './calls.ts'
import { createDeliveries } from './deliveries.ts'
import { frozenCopy } from './frozen-copy.ts'
import { createGrants } from './grants.ts'
import { createJournal, type MemoryJournal } from './journal.ts'
import { createLeases } from './leases.ts'
import { createPresence, createTokens } from './people.ts'
import { createRecords } from './records.ts'
import { createRequestBook } from './request-book.ts'
import { createRequests } from './requests.ts'
import { createSessions } from './sessions.ts'
import { createTurnLog } from './turn-log.ts'

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
  const book = createRequestBook()
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
