/** Deliveries in memory. Those that show an older version than their request has wait in an index by when they are due. */
import { defined } from '../../../core/defined.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { Delivery, DeliveryDraft, DeliveryVerbs, TakenDelivery } from '../../store.ts'
import type { Applier } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { createSortedIndex } from '../tables/sorted-index.ts'

export interface MemoryDeliveries extends DeliveryVerbs {
  /** Inside a write. */
  add(request: string, drafts: readonly DeliveryDraft[]): void
  /** Inside a write: the request has this version now. */
  touch(request: string, version: number): void
}

interface DeliveryRow {
  key: string
  request: string
  channel: string
  version: number
  shownVersion: number
  dueAt: number
  attempts: number
  ticket: number
  reference: JsonValue | undefined
}

export function createDeliveries(applier: Applier, now: () => number): MemoryDeliveries {
  const byRequest = new Map<string, DeliveryRow[]>()
  const waiting = createSortedIndex<DeliveryRow>()

  function update(row: DeliveryRow, change: Partial<DeliveryRow>): void {
    waiting.remove(row.dueAt, row.key)
    Object.assign(row, change)
    if (row.shownVersion < row.version) waiting.add(row.dueAt, row.key, row)
  }

  /** Undefined where another has taken it since. */
  function find({ request, channel, ticket }: TakenDelivery): DeliveryRow | undefined {
    return byRequest.get(request)?.find((row) => row.channel === channel && row.ticket === ticket)
  }

  function due(channels: readonly string[], limit: number): DeliveryRow[] {
    const rows: DeliveryRow[] = []
    for (const row of waiting.after(Number.NEGATIVE_INFINITY, '')) {
      if (row.dueAt > now() || rows.length >= limit) break
      if (channels.includes(row.channel)) rows.push(row)
    }
    return rows
  }

  return {
    add(request, drafts) {
      if (drafts.length === 0) return
      const rows = drafts.map(({ channel }) => {
        const key = JSON.stringify([request, channel])
        return {
          key,
          request,
          channel,
          version: 1,
          shownVersion: 0,
          dueAt: 0,
          attempts: 0,
          ticket: 0,
          reference: undefined,
        }
      })
      byRequest.set(request, rows)
      for (const row of rows) waiting.add(row.dueAt, row.key, row)
    },
    touch(request, version) {
      // A lease goes on: whoever is showing the old version finds out when it says `shown`.
      for (const row of byRequest.get(request) ?? []) update(row, { version })
    },
    take: (channels, limit, leaseMs) =>
      applier.write(() => {
        const rows = due(channels, limit)
        for (const row of rows) {
          update(row, { dueAt: now() + leaseMs, attempts: row.attempts + 1, ticket: row.ticket + 1 })
        }
        return rows.map(toDelivery)
      }),
    shown: (taken, version, reference) =>
      applier.write(() => {
        const row = find(taken)
        if (row === undefined) return false
        update(row, {
          shownVersion: Math.max(row.shownVersion, version),
          dueAt: 0,
          attempts: 0,
          reference: reference === undefined ? row.reference : frozenCopy(reference),
        })
        return true
      }),
    failed: (taken, retryInMs) =>
      applier.write(() => {
        const row = find(taken)
        if (row === undefined) return false
        update(row, { dueAt: now() + retryInMs })
        return true
      }),
    list: (request) =>
      applier.read(() =>
        (byRequest.get(request) ?? []).map(toDelivery).sort((a, b) => (a.channel < b.channel ? -1 : 1)),
      ),
  }
}

function toDelivery({ request, channel, shownVersion, attempts, ticket, reference }: DeliveryRow): Delivery {
  return {
    request,
    channel,
    shownVersion,
    attempts,
    ticket,
    ...defined({ reference }),
  }
}
