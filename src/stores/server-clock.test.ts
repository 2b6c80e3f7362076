/** The server's clock as it is taken to be. */
import { describe, expect, it } from 'vitest'
import { createServerClock } from './server-clock.ts'

const HOUR = 3_600_000

describe("the server's clock", () => {
  it('is this machine’s own until it was read', () => {
    expect(Math.abs(createServerClock().now() - Date.now())).toBeLessThan(HOUR)
  })

  it('is what the reading with the shortest round trip says, and not the last', () => {
    const clock = createServerClock()
    const at = performance.now()
    /** In whole steps of ten seconds: the test itself takes a moment. */
    const off = () => Math.round((clock.now() - (5 * HOUR + performance.now() - at)) / 10_000)
    clock.read(at - 60_000, at, 5 * HOUR)
    expect(off()).toBe(3)
    clock.read(at - 120_000, at, 5 * HOUR - 120_000)
    expect(off()).toBe(3)
    clock.read(at - 2, at, 5 * HOUR)
    expect(off()).toBe(0)
  })

  it('P5: is what was read last where it can’t be what was read before: a clock was set, or a machine slept', () => {
    const clock = createServerClock()
    const at = performance.now()
    clock.read(at - 1, at, 5 * HOUR)
    clock.read(at - 100, at, 7 * HOUR)
    expect(Math.floor(clock.now() / HOUR)).toBe(7)
    clock.read(at - 100, at, 7 * HOUR + 10)
    expect(Math.floor(clock.now() / HOUR)).toBe(7)
  })

  it('forgets readings that are old, however good they were', () => {
    const clock = createServerClock()
    const at = performance.now()
    clock.read(at - 1, at, 5 * HOUR)
    for (let reading = 0; reading < 12; reading++) clock.read(at - 60_000, at, 5 * HOUR)
    // In the middle of a long round trip.
    expect(Math.round((clock.now() - (5 * HOUR + performance.now() - at)) / 10_000)).toBe(3)
  })

  it('gives whole milliseconds', () => {
    const clock = createServerClock()
    clock.read(performance.now() - 1, performance.now(), HOUR + 0.7)
    expect(Number.isInteger(clock.now())).toBe(true)
  })
})
