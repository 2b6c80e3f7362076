import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationText, MAX_DURATION_MS, parseDuration } from './duration.ts'

describe('durations', () => {
  it('are a number and a unit', () => {
    expect(['250ms', '90s', '15m', '24h', '30d'].map(parseDuration)).toEqual([
      250, 90_000, 900_000, 86_400_000, 2_592_000_000,
    ])
  })

  it('P5: nothing else is taken for one', () => {
    for (const wrong of [
      '',
      '5',
      'm',
      '1.5h',
      '-1s',
      '1 h',
      '1y',
      '1h30m',
      '١h',
      '1h\n',
      '0s',
      '3651d',
      `${'9'.repeat(400)}d`,
    ])
      expect(() => parseDuration(wrong), wrong).toThrow(/duration/)
  })

  it('come back as they were written, in the largest unit', () => {
    expect(['90s', '900s', '60m', '24h', '1500ms'].map((text) => durationText(parseDuration(text)))).toEqual([
      '90s',
      '15m',
      '1h',
      '1d',
      '1500ms',
    ])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_DURATION_MS }), (milliseconds) => {
        expect(parseDuration(durationText(milliseconds))).toBe(milliseconds)
      }),
    )
  })
})
