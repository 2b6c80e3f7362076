import { describe, expect, it } from 'vitest'
import { snoozeMs } from './snooze-times.ts'

const until = (now: Date) => new Date(now.getTime() + snoozeMs('morning', now))

describe('putting off', () => {
  it('takes tomorrow morning to be the next one after a night', () => {
    expect(until(new Date(2026, 0, 5, 15, 30))).toEqual(new Date(2026, 0, 6, 8))
    expect(until(new Date(2026, 0, 5, 7, 59))).toEqual(new Date(2026, 0, 6, 8))
    expect(until(new Date(2026, 0, 31, 23, 59))).toEqual(new Date(2026, 1, 1, 8))
    expect(until(new Date(2026, 0, 5, 1, 0))).toEqual(new Date(2026, 0, 5, 8))
  })

  it('counts minutes and hours from now', () => {
    expect(snoozeMs('minutes', new Date())).toBe(600_000)
    expect(snoozeMs('hour', new Date())).toBe(3_600_000)
  })
})
