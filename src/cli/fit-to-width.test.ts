import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { widthOf } from '../display/index.ts'
import { fitToWidth } from './fit-to-width.ts'

const widthOfLine = (line: string) => [...line].reduce((sum, character) => sum + widthOf(character), 0)

describe('fitToWidth', () => {
  it('P9: a long value never begins a line of its own', () => {
    const value = `path: ${'x'.repeat(50)}Approve: everything`
    const lines = fitToWidth(value, 40)
    expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true)
    const barred = fitToWidth(`  │ ${'y'.repeat(100)}`, 40)
    expect(barred.slice(1).every((line) => line.startsWith('  ┆ '))).toBe(true)
  })

  it('loses nothing, and no line is wider than the terminal', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '│', ' ', '\n', '😀') }),
        fc.integer({ min: 20, max: 60 }),
        fc.boolean(),
        (text, columns, isBarred) => {
          const given = isBarred
            ? text
                .split('\n')
                .map((line) => `  │ ${line}`)
                .join('\n')
            : text
          const lines = fitToWidth(given, columns)
          for (const line of lines) expect(widthOfLine(line)).toBeLessThanOrEqual(columns)
          const prefix = isBarred ? '  ┆ ' : '    '
          const whole = given.split('\n').map((line) => {
            let joined = lines.shift() ?? ''
            while (joined !== line && lines.length > 0) joined += lines.shift()!.slice(prefix.length)
            return joined
          })
          expect(whole.join('\n')).toBe(given)
          expect(lines).toEqual([])
        },
      ),
    )
  })

  it('leaves lines alone where nobody looks', () => {
    expect(fitToWidth('x'.repeat(500), undefined)).toEqual(['x'.repeat(500)])
  })
})
