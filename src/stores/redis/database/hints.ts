/** Who is told that something has changed, and of what. */
import type { Hint } from '../../store.ts'

export interface Hints {
  tell(hint: Hint): void
  /** The server is another one. The first listener is told with the next hint, when the store can be used again. */
  noteReplaced(replaced: NonNullable<Hint['replaced']>): void
  watch(listener: (hint: Hint) => void): () => void
  clear(): void
}

export function createHints(report: (fault: { doing: string; error: unknown }) => void): Hints {
  const listeners = new Set<(hint: Hint) => void>()
  const untold: NonNullable<Hint['replaced']>[] = []

  /** What a listener does wrong is not the fault of the verb whose change it was told of. */
  function call(listener: (hint: Hint) => void, hint: Hint): void {
    try {
      listener(hint)
    } catch (error) {
      report({ doing: 'telling of a change', error })
    }
  }

  function tell(hint: Hint): void {
    tellFirst()
    for (const listener of [...listeners]) call(listener, hint)
  }

  function tellFirst(): void {
    const [first] = listeners
    if (first === undefined) return
    for (const replaced of untold.splice(0)) call(first, { local: false, replaced })
  }

  return {
    tell,
    noteReplaced: (replaced) => void untold.push(replaced),
    watch(listener) {
      // A function of its own, so that one that watches twice is told twice.
      const own = (hint: Hint) => listener(hint)
      listeners.add(own)
      // Not before the caller has what `watch` gives back.
      if (untold.length > 0) queueMicrotask(tellFirst)
      return () => void listeners.delete(own)
    },
    clear: () => listeners.clear(),
  }
}
