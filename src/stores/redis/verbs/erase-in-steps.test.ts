import { describe, expect, it } from 'vitest'
import { eraseInSteps } from './erase-in-steps.ts'

/** Those that can't be erased stay in the way of nobody. */
function createThings(count: number, isErasable: (index: number) => boolean) {
  const things = Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'))
  const kept = new Set(things)
  const steps: number[] = []
  return {
    kept,
    steps,
    async look(after: string, most: number) {
      const rest = things.filter((thing) => kept.has(thing) && (after === '-' || thing > after.slice(1)))
      const seen = rest.slice(0, most)
      return { last: seen.at(-1) ?? '', found: seen.filter((thing) => isErasable(Number(thing))) }
    },
    async erase(found: string[]) {
      steps.push(found.length)
      for (const thing of found) kept.delete(thing)
      return true
    },
  }
}

describe('erasing in steps', () => {
  it('erases all that there is, a bounded number at a time', async () => {
    const things = createThings(1700, () => true)
    expect(await eraseInSteps({ limit: 10_000, ...things })).toBe(1700)
    expect(things.kept.size).toBe(0)
    expect(Math.max(...things.steps)).toBeLessThanOrEqual(500)
  })

  it('passes over what must stay, and stops at its limit', async () => {
    const things = createThings(2000, (index) => index >= 1200)
    expect(await eraseInSteps({ limit: 700, ...things })).toBe(700)
    expect(things.kept.size).toBe(1300)
    expect(await eraseInSteps({ limit: 700, ...things })).toBe(100)
    expect(await eraseInSteps({ limit: 700, ...things })).toBe(0)
  })

  it('looks again at what changed meanwhile, and gives up after a few times', async () => {
    const things = createThings(10, () => true)
    let refusals = 2
    const erase = async (found: string[]) => (refusals-- > 0 ? false : things.erase(found))
    expect(await eraseInSteps({ limit: 100, look: things.look, erase })).toBe(10)
    const stubborn = createThings(10, () => true)
    expect(await eraseInSteps({ limit: 100, look: stubborn.look, erase: async () => false })).toBe(0)
  })
})
