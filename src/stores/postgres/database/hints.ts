/** Who watches, and what is kept for the first that does. */
import type { Hint } from '../../store.ts'

export interface Hints {
  add(hear: (hint: Hint) => void): () => void
  tell(hint: Hint): void
}

export function createHints(report: (fault: { doing: string; error: unknown }) => void = () => {}): Hints {
  const listeners = new Set<{ hear: (hint: Hint) => void }>()
  /** That the server was replaced is told once, however long nobody listens. */
  let kept: Hint['replaced']

  function say(hear: (hint: Hint) => void, hint: Hint): void {
    try {
      hear(hint)
    } catch (error) {
      report({ doing: 'telling of a change', error })
    }
  }

  return {
    add(hear) {
      const listener = { hear }
      listeners.add(listener)
      if (kept !== undefined) {
        const hint: Hint = { local: false, replaced: kept }
        kept = undefined
        // Not before the caller has what it needs to stop listening.
        queueMicrotask(() => say(hear, hint))
      }
      return () => void listeners.delete(listener)
    },
    tell(hint) {
      if (hint.replaced === undefined) {
        for (const { hear } of [...listeners]) say(hear, hint)
        return
      }
      const [first, ...others] = listeners
      if (first === undefined) kept = hint.replaced
      else say(first.hear, hint)
      for (const { hear } of others) say(hear, { local: false })
    },
  }
}
