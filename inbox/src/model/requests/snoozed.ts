/**
 * Requests that somebody put off: out of the list until a moment, on this device only. It comes back a minute before its
 * deadline at the latest, so that putting off never means missing.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { WireRequest } from '../../../../src/client/index.ts'
import { createStoredValue } from '../browser/stored-value.ts'

export interface Snoozed {
  readonly until: ReadonlySignal<ReadonlyMap<string, number>>
  isSnoozed(request: Pick<WireRequest, 'id' | 'expiresAt'>, now: number): boolean
  snooze(request: Pick<WireRequest, 'id' | 'expiresAt'>, now: number, forMs: number): void
  wake(id: string): void
}

const NAME = 'banksman.snoozed'
const BEFORE_DEADLINE_MS = 60_000

export function createSnoozed(storage: () => Storage): Snoozed {
  const kept = createStoredValue(storage, NAME, readMoments)
  const until = signal<ReadonlyMap<string, number>>(new Map(Object.entries(kept.read() ?? {})))

  function set(next: Map<string, number>): void {
    until.value = next
    kept.write(next.size === 0 ? undefined : Object.fromEntries(next))
  }

  return {
    until,
    isSnoozed({ id, expiresAt }, now) {
      const moment = until.value.get(id)
      // Asked of ten thousand at a time, of which few are: reading a deadline takes longer than all the rest.
      return moment !== undefined && now < latest(moment, expiresAt)
    },
    snooze({ id, expiresAt }, now, forMs) {
      const still = [...until.value].filter(([, moment]) => moment > now)
      set(new Map(still).set(id, latest(now + forMs, expiresAt)))
    },
    wake(id) {
      const next = new Map(until.value)
      if (next.delete(id)) set(next)
    },
  }
}

function latest(moment: number, expiresAt: string | null): number {
  return expiresAt === null ? moment : Math.min(moment, Date.parse(expiresAt) - BEFORE_DEADLINE_MS)
}

function readMoments(value: unknown): Record<string, number> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const moments = Object.entries(value).filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  )
  return Object.fromEntries(moments)
}
