/** Results that are kept for a repeated call: how long, how many, how often. */
import { describe, expect, it } from 'vitest'
import { createKeptResults } from './kept-results.ts'

describe('a result that nobody waited for', () => {
  it('P4: is given once', () => {
    const kept = createKeptResults(() => 0)
    kept.keep('a', Buffer.from('1'))
    expect([kept.has('a'), kept.has('b')]).toEqual([true, false])
    expect(kept.take('a')?.toString()).toBe('1')
    expect([kept.has('a'), kept.take('a')]).toEqual([false, undefined])
  })

  it('is over after ten minutes', () => {
    let now = 0
    const kept = createKeptResults(() => now)
    kept.keep('a', Buffer.from('1'))
    now = 10 * 60_000 - 1
    expect(kept.has('a')).toBe(true)
    now++
    expect([kept.has('a'), kept.take('a')]).toEqual([false, undefined])
  })

  it('makes room for newer ones', () => {
    const kept = createKeptResults(() => 0)
    for (let index = 0; index <= 32; index++) kept.keep(String(index), Buffer.alloc(1))
    expect([kept.has('0'), kept.has('1'), kept.has('32')]).toEqual([false, true, true])
    kept.keep('large', Buffer.alloc(64 * 1024 * 1024))
    expect([kept.has('32'), kept.has('large')]).toEqual([false, true])
    kept.keep('too large', Buffer.alloc(64 * 1024 * 1024 + 1))
    expect(kept.has('too large')).toBe(false)
  })
})
