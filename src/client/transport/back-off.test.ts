import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backOffMs } from './back-off.ts'

it('starts short, doubles and stops growing', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((failures) => backOffMs(failures, 1))).toEqual([
    500, 1000, 2000, 4000, 8000, 15_000, 15_000,
  ])
})

it('property: half of the pause is chance, it is never less and never more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e6 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (failures, chance) => {
        const whole = backOffMs(failures, 1)
        expect(backOffMs(failures, chance)).toBeGreaterThanOrEqual(whole / 2)
        expect(backOffMs(failures, chance)).toBeLessThanOrEqual(whole)
        expect(whole).toBeGreaterThanOrEqual(500)
        expect(whole).toBeLessThanOrEqual(15_000)
        expect(backOffMs(failures + 1, chance)).toBeGreaterThanOrEqual(backOffMs(failures, chance))
      },
    ),
  )
})
