/**
 * The one store of a world: a memory store, with a clock of its own, behind which an observer stands. Nodes reach it
 * through their links only.
 */
import { openMemoryStore } from '../../../src/stores/memory/index.ts'
import type { Store } from '../../../src/stores/store.ts'
import type { Scheduler } from './scheduler.ts'
import { EPOCH } from './world.ts'

export interface SharedStore {
  readonly memory: Store
  now(): number
  /** How far its clock is ahead of the world's. */
  offset(): number
  jump(byMs: number): void
  /** Does a verb, by its path such as `deliveries.take`, at this moment. */
  apply(path: string, args: readonly unknown[]): Promise<unknown>
}

type Verb = (...args: readonly unknown[]) => Promise<unknown>

export function openSharedStore(scheduler: Scheduler): SharedStore {
  let offset = 0
  const now = () => EPOCH + scheduler.now() + offset
  const memory = openMemoryStore({ now })
  return {
    memory,
    now,
    offset: () => offset,
    jump(byMs) {
      offset += byMs
    },
    apply(path, args) {
      const [group, verb] = path.split('.')
      const found = memory[group as keyof Store] as unknown
      const holder = (verb === undefined ? memory : found) as Record<string, Verb>
      return holder[verb ?? group!]!(...args)
    },
  }
}

/** The paths of all verbs that a link carries. */
export function verbsOf(store: Store): string[] {
  const own = new Set(['name', 'now', 'watch', 'close'])
  return Object.entries(store).flatMap(([name, value]) => {
    if (own.has(name)) return []
    if (typeof value === 'function') return [name]
    return Object.keys(value as object).map((verb) => `${name}.${verb}`)
  })
}

const READS =
  /^(lookup|get|list|count|due|nextDeadline|.*\.(get|getAll|list|find|history|family|read|lastAt|result|unfinished|chains|feed|cursor))$/

export function isRead(path: string): boolean {
  return READS.test(path)
}
