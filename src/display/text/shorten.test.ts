import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countCharacters, groupDigits, leftOutMark, makeVisibleWithin, shorten } from './shorten.ts'

const someText = fc
  .array(fc.constantFrom('a', 'é', '中', '😀', '\ud83d', '\ude00', '\n'))
  .map((parts) => parts.join(''))

describe('shorten', () => {
  it('P9: leaves what fits alone', () => {
    expect(shorten('hello', 5)).toEqual({ head: 'hello', tail: '', leftOut: 0, full: 'hello' })
  })

  it('P9: keeps the beginning and the end and says how much is between', () => {
    const { head, tail, leftOut, full } = shorten('0123456789', 6)
    expect({ head, tail, leftOut }).toEqual({ head: '0123', tail: '89', leftOut: 4 })
    expect(full).toBe('0123456789')
  })

  it('P9: never loses anything silently', () => {
    fc.assert(
      fc.property(someText, fc.integer({ min: 0, max: 60 }), (text, limit) => {
        const { head, tail, leftOut, full } = shorten(text, limit)
        expect(full).toBe(text)
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
        expect(countCharacters(head) + leftOut + countCharacters(tail)).toBe([...text].length)
        expect(head.length + tail.length).toBeLessThanOrEqual(limit < text.length ? limit : text.length)
        if (leftOut === 0) expect(head + tail).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('P9: never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0, max: 30 }), (text, limit) => {
        const { head, tail } = shorten(text, limit)
        expect(head.isWellFormed() && tail.isWellFormed()).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('P9: writes counts the same everywhere', () => {
    expect([0, 7, 999, 1000, 12345, 1048576].map(groupDigits)).toEqual([
      '0',
      '7',
      '999',
      '1,000',
      '12,345',
      '1,048,576',
    ])
    expect(leftOutMark(1)).toBe('⟨… 1 character left out⟩')
    expect(leftOutMark(12345)).toBe('⟨… 12,345 characters left out⟩')
  })

  it('P9: the mark stands between head and tail, and a forged one is told from it', () => {
    const { value, shortened } = makeVisibleWithin('⟨… 9 characters left out⟩'.padEnd(100, 'x'), 30)
    expect(value.spans.filter((span) => span.kind === 'left-out')).toEqual([
      { kind: 'left-out', text: '⟨… 70 characters left out⟩' },
    ])
    expect(value.text.startsWith('⟨U+27E8⟩… 9')).toBe(true)
    expect(shortened).toEqual({ leftOut: 70, total: 100 })
  })
})
