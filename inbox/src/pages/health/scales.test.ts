import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barsOf, middleOf, namedDays, shareOf } from './scales.ts'

describe('scales', () => {
  it('bars stay in the picture, beside each other, and only nothing is drawn as nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 1, maxLength: 90 }), (values) => {
        const bars = barsOf(values, Math.max(1, ...values))
        for (const [index, bar] of bars.entries()) {
          expect(bar.y + bar.height).toBeCloseTo(100)
          expect(bar.height > 0).toBe(values[index]! > 0)
          expect(bar.x + bar.width).toBeLessThanOrEqual(bars[index + 1]?.x ?? 100)
        }
      }),
    )
  })

  it('a share of nothing is nothing', () => {
    expect(shareOf(3, 0)).toBe(0)
    expect(shareOf(1, 4)).toBe(25)
    expect(shareOf(9, 4)).toBe(100)
  })

  it('name a day below the middle of its bar', () => {
    for (const [index, bar] of barsOf([1, 2, 3, 4, 5], 5).entries())
      expect(middleOf(index, 5)).toBeCloseTo(bar.x + bar.width / 2)
  })

  it('name the first and the last day, each once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), (count) => {
        const days = namedDays(count)
        expect(days[0]).toBe(0)
        expect(days.at(-1)).toBe(count - 1)
        expect(new Set(days).size).toBe(days.length)
      }),
    )
  })
})
