import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import type { MatchResult } from './match-result.ts'
import { compileTimeWindow } from './time-window.ts'

describe('compileTimeWindow', () => {
  it('holds from its start up to and without its end', () => {
    const office = compileTimeWindow({ from: '09:00', to: '17:00', days: ['mon', 'fri'] }, '')
    check(office, [
      ['2026-03-02T08:59:59.999Z', 'no'],
      ['2026-03-02T09:00:00Z', 'yes'],
      ['2026-03-02T16:59:59.999Z', 'yes'],
      ['2026-03-02T17:00:00Z', 'no'],
      ['2026-03-03T12:00:00Z', 'no'],
      ['2026-03-06T12:00:00Z', 'yes'],
      ['2026-03-07T12:00:00Z', 'no'],
    ])
  })

  it('belongs to the day on which it began when it goes past midnight', () => {
    const night = compileTimeWindow({ from: '22:00', to: '06:00', days: ['fri'] }, '')
    check(night, [
      ['2026-03-06T03:00:00Z', 'no'],
      ['2026-03-06T21:59:00Z', 'no'],
      ['2026-03-06T22:00:00Z', 'yes'],
      ['2026-03-07T03:00:00Z', 'yes'],
      ['2026-03-07T06:00:00Z', 'no'],
      ['2026-03-07T23:00:00Z', 'no'],
      ['2026-03-08T03:00:00Z', 'no'],
    ])
    const sunday = compileTimeWindow({ from: '22:00', to: '06:00', days: ['sun'] }, '')
    check(sunday, [['2026-03-09T05:59:00Z', 'yes']])
  })

  it('may leave out either end, or both', () => {
    check(compileTimeWindow({ from: '18:00' }, ''), [
      ['2026-03-02T17:59:00Z', 'no'],
      ['2026-03-02T23:59:00Z', 'yes'],
    ])
    check(compileTimeWindow({ to: '06:00' }, ''), [
      ['2026-03-02T00:00:00Z', 'yes'],
      ['2026-03-02T06:00:00Z', 'no'],
    ])
    check(compileTimeWindow({ from: '18:00', to: '24:00' }, ''), [['2026-03-02T23:59:59Z', 'yes']])
    check(compileTimeWindow({ days: ['sat', 'sun'] }, ''), [
      ['2026-03-06T23:59:59Z', 'no'],
      ['2026-03-07T00:00:00Z', 'yes'],
    ])
  })

  it('goes by the clock on the wall, also when it is put forward or back', () => {
    const early = compileTimeWindow({ from: '02:00', to: '03:00', zone: 'Europe/Berlin' }, '')
    check(early, [
      ['2026-01-10T01:30:00Z', 'yes'],
      ['2026-07-10T00:30:00Z', 'yes'],
      ['2026-07-10T01:30:00Z', 'no'],
      // There is no such hour on the day on which the clocks go forward, and there are two when they go back.
      ['2026-03-29T00:59:00Z', 'no'],
      ['2026-03-29T01:00:00Z', 'no'],
      ['2026-10-25T00:30:00Z', 'yes'],
      ['2026-10-25T01:30:00Z', 'yes'],
      ['2026-10-25T02:00:00Z', 'no'],
    ])
    check(compileTimeWindow({ days: ['mon'], zone: 'Pacific/Auckland' }, ''), [
      ['2026-03-01T12:00:00Z', 'yes'],
      ['2026-03-02T12:00:00Z', 'no'],
    ])
    check(compileTimeWindow({ from: '05:45', to: '05:46', zone: 'Asia/Kathmandu' }, ''), [
      ['2026-03-02T00:00:30Z', 'yes'],
    ])
  })

  it('P5: without a time, or with one that is none, it is unknown', () => {
    const window = compileTimeWindow({ from: '00:00', to: '24:00' }, '')
    for (const none of [undefined, Number.NaN, Number.POSITIVE_INFINITY, -8.65e15, 1e300]) {
      expect(window(none)).toBe('unknown')
    }
    expect(window(8.64e15)).toBe('yes')
    expect(window(-8.64e15)).toBe('yes')
  })

  it('property: a window and the one that fills up the day never hold together, and one of them does', () => {
    const minute = fc.integer({ min: 0, max: 1439 })
    const time = (at: number) =>
      `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
    const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham')
    const anytime = fc.integer({ min: 0, max: 4e12 })
    fc.assert(
      fc.property(minute, minute, zone, anytime, (from, to, zoneName, atMs) => {
        fc.pre(from !== to)
        const one = compileTimeWindow({ from: time(from), to: time(to), zone: zoneName }, '')
        const other = compileTimeWindow({ from: time(to), to: time(from), zone: zoneName }, '')
        expect([one(atMs), other(atMs)].sort()).toEqual(['no', 'yes'])
      }),
    )
  })

  it('refuses what it does not understand, and says what would be right', () => {
    const cases: [block: unknown, words: string, pointer: string, suggestion?: string][] = [
      [{ from: '9:00', to: '17:00' }, 'such as "09:00"', '/t/from'],
      [{ from: 540 }, 'found a number', '/t/from'],
      [{ to: '25:00' }, 'to must be a time', '/t/to'],
      [{ from: '24:00' }, 'from must be a time', '/t/from'],
      [{ from: '09:00', to: '09:00' }, 'the same time', '/t'],
      [{}, 'would always hold', '/t'],
      [{ zone: 'UTC' }, 'would always hold', '/t'],
      [{ days: [] }, 'empty list', '/t/days'],
      [{ days: 'mon' }, 'must be a list', '/t/days'],
      [{ days: ['mon', 'Tuesday'] }, 'did you mean "tue"', '/t/days/1', 'tue'],
      [{ days: ['fru'] }, 'did you mean "fri"', '/t/days/0', 'fri'],
      [{ days: [1] }, 'must be a text', '/t/days/0'],
      [{ from: '09:00', zone: 'Europe/Berlim' }, 'did you mean "Europe/Berlin"', '/t/zone', 'Europe/Berlin'],
      [{ from: '09:00', zone: 'Mars/Base' }, 'an IANA name such as "Europe/Berlin"', '/t/zone'],
      [{ form: '09:00' }, 'did you mean "from"', '/t/form', 'from'],
      ['09:00-17:00', 'must be an object', '/t'],
    ]
    for (const [block, words, pointer, suggestion] of cases) {
      const error = refusalOf(() => compileTimeWindow(block, '/t'))
      expect(error.message).toContain(words)
      expect(error.details.pointer).toBe(pointer)
      expect(error.details.suggestion).toBe(suggestion)
    }
  })
})

function check(window: (atMs: number) => MatchResult, cases: [time: string, holds: MatchResult][]): void {
  for (const [time, holds] of cases) expect(window(Date.parse(time)), time).toBe(holds)
}

function refusalOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy') return error
    throw error
  }
  throw new Error('it was accepted')
}
