/** Random numbers from a seed: the same seed makes the same calls. */
export interface Random {
  /** From 0 up to but without `bound`. */
  below(bound: number): number
  pick<T>(list: readonly T[]): T
  /** As many numbers between 10 and 100 as between 100 and 1000. */
  size(from: number, to: number): number
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    pick: (list) => {
      const item = list[below(list.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    size: (from, to) => Math.floor(from * (to / from) ** next()),
  }
}
