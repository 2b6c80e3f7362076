/** Random numbers from a seed: the same seed gives the same numbers, on every machine. */
import type { Random } from '../../../src/core/time/clock.ts'

export interface SeededRandom extends Random {
  /** From 0 up to, and without, 1. */
  fraction(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** Numbers of its own, so that one part of a world draws as often as it likes without moving the others. */
  fork(): SeededRandom
}

/** The generator sfc32, with its state stirred out of the seed. */
export function createSeededRandom(seed: number): SeededRandom {
  const stirred = createStirring(seed)
  let a = stirred()
  let b = stirred()
  let c = stirred()
  let counter = 1

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  // The first numbers still show what the seed was.
  for (let round = 0; round < 12; round++) next()

  const random: SeededRandom = {
    fraction: () => next() / 2 ** 32,
    between: (least, most) => least + Math.floor((next() / 2 ** 32) * (most - least + 1)),
    chance: (probability) => next() / 2 ** 32 < probability,
    pick: (list) => list[Math.floor((next() / 2 ** 32) * list.length)]!,
    bytes: (length) => Uint8Array.from({ length }, () => next() >>> 24),
    fork: () => createSeededRandom(next()),
  }
  return random
}

/** splitmix32: neighbouring seeds give states that have nothing to do with each other. */
function createStirring(seed: number): () => number {
  let state = (seed ^ Math.floor(seed / 2 ** 32)) | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) | 0
  }
}
