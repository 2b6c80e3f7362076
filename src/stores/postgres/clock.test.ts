/** The server's clock as it is taken to be. */
import { describe, expect, it } from 'vitest'
import { createServerClock } from './clock.ts'

const HOUR = 3_600_000

describe("the server's clock", () => {
  it('is this machine’s own until it was read', () => {
    expect(Math.abs(createServerClock().now() - Date.now())).toBeLessThan(HOUR)
  })

  it('is what the reading with the shortest round trip says, and not the last', () => {
    const clock = createServerClock()
    const at = performance.now()
    clock.read(at - 10, at, 5 * HOUR)
    clock.read(at - 2000, at, 9 * HOUR)
    expect(Math.floor(clock.now() / HOUR)).toBe(5)
    clock.read(at - 2, at, 7 * HOUR)
    expect(Math.floor(clock.now() / HOUR)).toBe(7)
  })

  it('forgets readings that are old, however good they were', () => {
    const clock = createServerClock()
    const at = performance.now()
    clock.read(at - 1, at, 5 * HOUR)
    for (let reading = 0; reading < 12; reading++) clock.read(at - 100, at, 7 * HOUR)
    expect(Math.floor(clock.now() / HOUR)).toBe(7)
  })

  it('gives whole milliseconds', () => {
    const clock = createServerClock()
    clock.read(performance.now() - 1, performance.now(), HOUR + 0.7)
    expect(Number.isInteger(clock.now())).toBe(true)
  })
})
