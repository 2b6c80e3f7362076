/**
 * An index ordered by (number, id). It is a row of short sorted runs: adding and removing move at most one run, so
 * a hundred thousand requests cost about as much each as a hundred do.
 */
export interface SortedIndex<T> {
  readonly size: number
  add(at: number, id: string, value: T): void
  /** Nothing happens when it is not there. */
  remove(at: number, id: string): void
  /** Those behind the key, in order. The index must not change meanwhile. */
  after(at: number, id: string): Generator<T, void>
  /** Those in front of the key, from the last to the first. The index must not change meanwhile. */
  before(at: number, id: string): Generator<T, void>
  first(): T | undefined
}

interface IndexedItem<T> {
  at: number
  id: string
  value: T
}

/** Long enough that runs are few, short enough that moving half of one is nothing. */
const MAX_RUN = 512

export function createSortedIndex<T>(): SortedIndex<T> {
  const runs: IndexedItem<T>[][] = []
  let size = 0

  /** The first run whose last item is not before the key. */
  function runFor(at: number, id: string): number {
    return bisect(runs.length, (index) => isBefore(runs[index]!.at(-1)!, at, id))
  }

  function placeIn(run: IndexedItem<T>[], at: number, id: string): number {
    return bisect(run.length, (index) => isBefore(run[index]!, at, id))
  }

  return {
    get size() {
      return size
    },
    add(at, id, value) {
      size++
      const item = { at, id, value }
      if (runs.length === 0) {
        runs.push([item])
        return
      }
      const index = Math.min(runFor(at, id), runs.length - 1)
      const run = runs[index]!
      run.splice(placeIn(run, at, id), 0, item)
      if (run.length > MAX_RUN) {
        // What comes in order fills runs to the brim; what comes anywhere splits them in the middle.
        const half = index === runs.length - 1 ? MAX_RUN : MAX_RUN / 2
        runs.splice(index + 1, 0, run.splice(half))
      }
    },
    remove(at, id) {
      const index = runFor(at, id)
      const run = runs[index]
      if (run === undefined) return
      const place = placeIn(run, at, id)
      const found = run[place]
      if (found === undefined || found.at !== at || found.id !== id) return
      size--
      run.splice(place, 1)
      if (run.length === 0) runs.splice(index, 1)
    },
    *after(at, id) {
      for (let index = runFor(at, id); index < runs.length; index++) {
        const run = runs[index]!
        for (let place = placeIn(run, at, id); place < run.length; place++) {
          const item = run[place]!
          if (item.at !== at || item.id !== id) yield item.value
        }
      }
    },
    *before(at, id) {
      for (let index = Math.min(runFor(at, id), runs.length - 1); index >= 0; index--) {
        const run = runs[index]!
        for (let place = placeIn(run, at, id) - 1; place >= 0; place--) yield run[place]!.value
      }
    },
    first: () => runs[0]?.[0]?.value,
  }
}

function isBefore(item: { at: number; id: string }, at: number, id: string): boolean {
  return item.at < at || (item.at === at && item.id < id)
}

/** The first index for which it no longer holds. */
function bisect(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
