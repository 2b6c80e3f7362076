import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowTop, visibleRowsOf } from './visible-rows.ts'

const HEIGHTS = { group: 40, request: 100 }
const kinds = fc.array(fc.constantFrom({ kind: 'group' } as const, { kind: 'request' } as const), {
  maxLength: 600,
})

describe('the part of a list that is drawn', () => {
  it('property: covers the screen, keeps the height, and stays small', () => {
    fc.assert(
      fc.property(kinds, fc.integer({ min: -500, max: 70_000 }), (all, top) => {
        const height = 800
        const { from, to, above, below } = visibleRowsOf(all, HEIGHTS, { top, height })
        const whole = rowTop(all, HEIGHTS, all.length)
        const drawn = rowTop(all, HEIGHTS, to) - rowTop(all, HEIGHTS, from)
        expect(above + drawn + below).toBe(whole)
        if (all.length <= 150) expect([from, to]).toEqual([0, all.length])
        else expect(to - from).toBeLessThanOrEqual((height + 1600) / 40 + 3)
        for (let index = 0; index < all.length; index++) {
          const at = rowTop(all, HEIGHTS, index)
          const isOnScreen = at + HEIGHTS[all[index]!.kind] > top && at < top + height
          if (isOnScreen) expect(index >= from && index < to).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })
})
