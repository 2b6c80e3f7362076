import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isQuiet, isTimeZone, quietUntil } from './quiet-hours.ts'

const night = { from: '22:00', to: '07:00', zone: 'Europe/Amsterdam' }
const at = (text: string) => Date.parse(text)

describe('quiet hours', () => {
  it.each([
    ['2026-01-10T20:59:59Z', false],
    ['2026-01-10T21:00:00Z', true],
    ['2026-01-10T23:30:00Z', true],
    ['2026-01-11T05:59:59Z', true],
    ['2026-01-11T06:00:00Z', false],
    // In summer the same wall is two hours ahead.
    ['2026-07-10T19:59:59Z', false],
    ['2026-07-10T20:00:00Z', true],
    ['2026-07-11T04:59:59Z', true],
    ['2026-07-11T05:00:00Z', false],
  ])('go over midnight, by the wall: %s is %s', (moment, quiet) => {
    expect(isQuiet(night, at(moment))).toBe(quiet)
  })

  it('may lie within one day, and end before the minute that is named', () => {
    const nap = { from: '13:00', to: '13:30', zone: 'UTC' }
    expect(isQuiet(nap, at('2026-01-10T13:00:00Z'))).toBe(true)
    expect(isQuiet(nap, at('2026-01-10T13:29:59Z'))).toBe(true)
    expect(isQuiet(nap, at('2026-01-10T13:30:00Z'))).toBe(false)
    expect(isQuiet(nap, at('2026-01-10T12:59:59Z'))).toBe(false)
  })

  it('are none where both ends are the same, or the zone is unknown: then people are told', () => {
    expect(isQuiet({ from: '08:00', to: '08:00', zone: 'UTC' }, at('2026-01-10T08:00:00Z'))).toBe(false)
    expect(isQuiet({ from: '00:00', to: '23:59', zone: 'Mars/Olympus' }, at('2026-01-10T08:00:00Z'))).toBe(
      false,
    )
    expect([isTimeZone('Asia/Shanghai'), isTimeZone('Mars/Olympus'), isTimeZone('')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('midnight itself is 00:00 and not 24:00', () => {
    const early = { from: '00:00', to: '01:00', zone: 'UTC' }
    expect(isQuiet(early, at('2026-01-10T00:00:00Z'))).toBe(true)
    expect(isQuiet(early, at('2026-01-10T23:59:00Z'))).toBe(false)
  })
})

describe('when they are over', () => {
  it.each([
    ['2026-01-10T22:00:30Z', '2026-01-11T06:00:00Z'],
    // The clocks go forward at 01:00 UTC on 29 March 2026, and back on 25 October.
    ['2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
    ['2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
    // Outside of them: at once.
    ['2026-01-10T12:00:00Z', '2026-01-10T12:00:00Z'],
  ])('%s → %s', (from, until) => {
    expect(new Date(quietUntil(night, at(from))).toISOString()).toBe(new Date(until).toISOString())
  })

  it('is reached within a few steps from every moment, whatever the zone does', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Amsterdam',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/Sao_Paulo',
      'Pacific/Apia',
    )
    const moment = fc.integer({ min: Date.UTC(2010, 0), max: Date.UTC(2030, 0) })
    fc.assert(
      fc.property(clock, clock, zone, moment, (from, to, name, start) => {
        const quiet = { from, to, zone: name }
        let now = start
        for (let step = 0; step < 70 && isQuiet(quiet, now); step++) {
          const next = quietUntil(quiet, now)
          expect(next).toBeGreaterThan(now)
          now = next
        }
        expect(isQuiet(quiet, now)).toBe(false)
        // A day, and the hour by which the clocks are changed.
        expect(now - start).toBeLessThanOrEqual(25 * 3_600_000)
      }),
      { numRuns: 400 },
    )
  })
})
