import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTextFlow, INDENT, widthOfText } from './text-flow.ts'

function flowOf(pieces: readonly string[], columns: number): string[] {
  const flow = createTextFlow(() => columns)
  return [...pieces.flatMap((piece) => flow.push(piece)), ...flow.end()]
}

/** The text, cut at these places. */
function cut(text: string, places: readonly number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end))
}

const columns = fc.integer({ min: 1, max: 120 })
const places = fc.array(fc.nat(500), { maxLength: 20 })

describe('text that comes in pieces', () => {
  it('P9: no row holds what a terminal obeys or hides, is too wide, or begins where ours begin', () => {
    const nasty = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom(
            '\u001b[2J',
            '\u202e',
            '\r',
            '✓ Approved.',
            '漢字',
            '👩‍👧',
            '\ufe0f',
            '\n',
            '\t',
            ' ',
          ),
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(nasty, places, columns, (text, places, columns) => {
        const flow = createTextFlow(() => columns)
        const rows: string[] = []
        for (const piece of cut(text, places)) {
          rows.push(...flow.push(piece))
          rows.push(flow.current())
        }
        for (const row of [...rows, ...flow.end()]) {
          expect(row).not.toMatch(/[[\p{C}\p{Zl}\p{Zp}]--\p{Cn}]/v)
          expect(widthOfText(row)).toBeLessThan(Math.max(columns, 20))
          if (row !== '') expect(row.startsWith(INDENT)).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is the same text wherever it was cut, with nothing left out', () => {
    const words = fc.array(fc.stringMatching(/^[a-z漢字é😀]{1,12}$/u), { maxLength: 60 })
    fc.assert(
      fc.property(
        words,
        fc.array(fc.constantFrom(' ', '\n', '  ')),
        places,
        columns,
        (words, gaps, places, columns) => {
          const text = words.map((word, index) => word + (gaps[index % gaps.length] ?? ' ')).join('')
          const rows = flowOf(cut(text, places), columns)
          expect(rows).toEqual(flowOf([text], columns))
          expect(rows.join('').replaceAll(' ', '')).toBe(words.join(''))
        },
      ),
    )
  })

  it('shows a word before it is whole, and half a character never', () => {
    const flow = createTextFlow(() => 80)
    flow.push('hel')
    expect(flow.current()).toBe('  hel')
    flow.push('lo \ud83d')
    expect(flow.current()).toBe('  hello ')
    flow.push('\ude00')
    expect(flow.current()).toBe('  hello 😀')
  })

  it('breaks between words, and words that are too long anywhere', () => {
    expect(flowOf(['the quick brown fox jumps'], 20)).toEqual(['  the quick brown', '  fox jumps'])
    expect(flowOf(['x'.repeat(40)], 20)).toEqual([`  ${'x'.repeat(17)}`, `  ${'x'.repeat(17)}`, '  xxxxxx'])
  })

  it('keeps empty rows, but no flood of them', () => {
    expect(flowOf(['a\n\nb'], 40)).toEqual(['  a', '', '  b'])
    expect(flowOf([`a${'\n'.repeat(500)}b`], 40)).toEqual(['  a', '', '', '  b'])
  })
})
