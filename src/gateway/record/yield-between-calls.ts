/**
 * Looking through many calls at once is long work, and each of them may hold a megabyte. Between two of them everybody
 * else has a turn, so that nobody waits longer than for one.
 */
import type { Host } from '../host.ts'

/**
 * Each that gives way has a turn of the event loop of its own: two that are done in one would hold it for as long as both.
 *
 * @param nextTurn Comes back in the next turn of the event loop.
 */
export function createEventLoopYield(nextTurn: () => Promise<void>): () => Promise<void> {
  let lastTurn: Promise<void> = Promise.resolve()
  return () => {
    lastTurn = lastTurn.then(nextTurn)
    return lastTurn
  }
}

/** Small calls are looked at in one go. */
const MAX_CHARACTERS = 64 * 1024
const MAX_CALLS = 50

/** To be awaited before each call that is looked at, with its size. */
export function createYieldBetweenCalls({
  giveWay,
}: Pick<Host, 'giveWay'>): (characters: number) => Promise<void> {
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
