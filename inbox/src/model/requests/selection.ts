/** The requests that are marked to be decided together. What is no longer pending falls out by itself. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { WireRequest } from '../../../../src/client/index.ts'

export interface Selection {
  /** In the order of the list. */
  readonly chosen: ReadonlySignal<readonly WireRequest[]>
  has(id: string): boolean
  toggle(id: string): void
  /** All of these, or none of them where all of them are marked. */
  toggleAll(ids: readonly string[]): void
  clear(): void
}

export function createSelection(pending: ReadonlySignal<readonly WireRequest[]>): Selection {
  const ids = signal<ReadonlySet<string>>(new Set())
  return {
    chosen: computed(() =>
      ids.value.size === 0 ? [] : pending.value.filter(({ id, yours }) => yours && ids.value.has(id)),
    ),
    has: (id) => ids.value.has(id),
    toggle(id) {
      const next = new Set(ids.value)
      if (!next.delete(id)) next.add(id)
      ids.value = next
    },
    toggleAll(all) {
      const next = new Set(ids.value)
      const isWhole = all.every((id) => next.has(id))
      for (const id of all) isWhole ? next.delete(id) : next.add(id)
      ids.value = next
    },
    clear() {
      ids.value = new Set()
    },
  }
}
