import { describe, expect, it } from 'vitest'
import { lastLines } from './last-lines.ts'

describe('the last lines of what a session said', () => {
  it('are those of its newest words that have any', () => {
    expect(lastLines(['first', 'second', ' \n'])).toEqual({ text: 'second', isCut: false })
    expect(lastLines(['', ' '])).toBeUndefined()
    expect(lastLines([])).toBeUndefined()
  })

  it('are few, and say that there was more', () => {
    const lines = Array.from({ length: 9 }, (_, index) => `line ${index}`)
    expect(lastLines([lines.join('\n')])).toEqual({ text: lines.slice(-5).join('\n'), isCut: true })
    const long = lastLines([`${'a'.repeat(2000)} end`])
    expect(long?.isCut).toBe(true)
    expect(long?.text).toHaveLength(360)
    expect(long?.text.endsWith(' end')).toBe(true)
  })

  it('P9: never cut a character in two', () => {
    expect(lastLines(['😀'.repeat(1000)])?.text).toBe('😀'.repeat(360))
  })
})
