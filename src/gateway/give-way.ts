/**
 * Looking through many calls at once is long work, and each of them may hold a megabyte. Between two of them everybody
 * else has a turn, so that nobody waits longer than for one.
 */
import type { Hall } from './hall.ts'

/** Small calls are looked at in one go. */
const MAX_CHARACTERS = 64 * 1024
const MAX_CALLS = 50

/** To be awaited before each call that is looked at, with its size. */
export function createPauses({ giveWay }: Pick<Hall, 'giveWay'>): (characters: number) => Promise<void> {
  let characters = 0
  let calls = 0
  return async (size) => {
    characters += size
    calls++
    if (characters <= MAX_CHARACTERS && calls <= MAX_CALLS) return
    characters = size
    calls = 1
    await giveWay()
  }
}
