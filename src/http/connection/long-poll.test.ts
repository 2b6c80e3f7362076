import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyOf, holdQuery, MAX_HOLD_MS } from './long-poll.ts'

describe('a hold', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['25s', 25_000],
    ['60s', 60_000],
    ['61s', 60_000],
    ['999999999s', 60_000],
  ])('of %s is %i ms', (text, holdMs) => expect(holdQuery.parse(text)).toBe(holdMs))

  it.each(['', '1', '25', '-1s', '1.5s', '1 s', '1m', 's', '٣s', '1e3ms', '25s '])(
    'of %j is none',
    (text) => {
      expect(holdQuery.safeParse(text).success).toBe(false)
    },
  )

  it('is never longer than the longest, whatever is asked for', () => {
    fc.assert(
      fc.property(fc.nat(999_999_999), fc.constantFrom('s', 'ms'), (amount, unit) => {
        const holdMs = holdQuery.parse(`${amount}${unit}`)
        return holdMs === Math.min(MAX_HOLD_MS, amount * (unit === 's' ? 1000 : 1))
      }),
    )
  })
})

describe('one of several signals', () => {
  it('aborts with the first, or at once, and lets go', () => {
    const [one, other] = [new AbortController(), new AbortController()]
    const both = anyOf([one.signal, undefined, other.signal])
    expect(both.signal.aborted).toBe(false)
    other.abort()
    expect(both.signal.aborted).toBe(true)
    expect(anyOf([one.signal, other.signal]).signal.aborted).toBe(true)
    const released = anyOf([one.signal])
    released.release()
    one.abort()
    expect(released.signal.aborted).toBe(false)
  })
})
