import { describe, expect, it } from 'vitest'
import { createYieldBetweenCalls } from './yield-between-calls.ts'

async function pausesFor(sizes: readonly number[]): Promise<number> {
  let pauses = 0
  const pause = createYieldBetweenCalls({
    giveWay: async () => {
      pauses++
    },
  })
  for (const size of sizes) await pause(size)
  return pauses
}

describe('others have a turn', () => {
  it.each([
    ['before every large call', Array<number>(10).fill(1_000_000), 10],
    ['after fifty small ones', Array<number>(120).fill(100), 2],
    ['between a few and a large one', [100, 100, 1_000_000, 100], 2],
    ['never for a few', Array<number>(20).fill(1000), 0],
  ])('%s', async (_, sizes, expected) => {
    expect(await pausesFor(sizes)).toBe(expected)
  })
})
