/** Results that no client waited for, for whoever makes the same call again: a few, for some minutes, and each once. */

export interface KeptResults {
  /** `shape`: equal for calls that are the same. */
  keep(shape: string, result: Buffer): void
  has(shape: string): boolean
  /** A shape takes long to write where the call is large. */
  isEmpty(): boolean
  take(shape: string): Buffer | undefined
}

/** Enough for a model that repeats itself. */
const MAX_KEPT = 32
const MAX_KEPT_BYTES = 64 * 1024 * 1024
const KEPT_MS = 10 * 60_000

export function createKeptResults(now: () => number): KeptResults {
  const kept = new Map<string, { result: Buffer; until: number }>()

  function forgetOld(): void {
    for (const [shape, { until }] of kept) if (until <= now()) kept.delete(shape)
  }

  return {
    keep(shape, result) {
      forgetOld()
      if (result.length > MAX_KEPT_BYTES) return
      kept.delete(shape)
      kept.set(shape, { result: Buffer.from(result), until: now() + KEPT_MS })
      let bytes = [...kept.values()].reduce((sum, { result: { length } }) => sum + length, 0)
      for (const [oldest, { result: dropped }] of kept) {
        if (kept.size <= MAX_KEPT && bytes <= MAX_KEPT_BYTES) break
        kept.delete(oldest)
        bytes -= dropped.length
      }
    },
    has(shape) {
      forgetOld()
      return kept.has(shape)
    },
    isEmpty: () => kept.size === 0,
    take(shape) {
      forgetOld()
      const found = kept.get(shape)
      kept.delete(shape)
      return found?.result
    },
  }
}
