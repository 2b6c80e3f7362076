import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { widthOf } from '../../display/index.ts'
import { fitCall, fitToWidth, wrapWords } from './fit-to-width.ts'

const widthOfLine = (line: string) => [...line].reduce((sum, character) => sum + widthOf(character), 0)

describe('fitToWidth', () => {
  it('P9: a long value never begins a line of its own', () => {
    const value = `path: ${'x'.repeat(50)}Approve: everything`
    const lines = fitToWidth(value, 40)
    expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true)
    const barred = fitToWidth(`  │ ${'y'.repeat(100)}`, 40)
    expect(barred.slice(1).every((line) => line.startsWith('  ┆ '))).toBe(true)
  })

  it.each([
    ['fitToWidth', fitToWidth],
    ['wrapWords', wrapWords],
    ['fitCall', fitCall],
  ])('P9: %s loses nothing, and no line is wider than the terminal', (_, fitTo) => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '│', ' ', '\t', '\n', '😀'), maxLength: 200 }),
        fc.integer({ min: 20, max: 60 }),
        fc.boolean(),
        (text, columns, isBarred) => {
          const given = isBarred
            ? text
                .split('\n')
                .map((line) => `  │ ${line}`)
                .join('\n')
            : text
          const lines = fitTo(given, columns)
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

  it('sentences are broken between words, and a word that is too long is cut', () => {
    const words = 'The demonstration makes it up: it has no network.'
    expect(wrapWords(words, 44)).toEqual(['The demonstration makes it up: it has no ', '    network.'])
    for (let columns = 20; columns < 60; columns++) {
      const whole = wrapWords(`  │ ${words}`, columns).map((line) => line.slice(4).trim())
      expect(whole.join(' ')).toBe(words)
    }
    expect(wrapWords(`a ${'x'.repeat(30)} b`, 20)).toEqual([`a ${'x'.repeat(18)}`, `    ${'x'.repeat(12)} b`])
  })

  it('what is run is cut at the edge, and what is said of it between words', () => {
    const text = `Tool description: it has no network.\n  │ rm -rf --no-preserve-root /srv`
    expect(fitCall(text, 30)).toEqual([
      'Tool description: it has no ',
      '    network.',
      '  │ rm -rf --no-preserve-root ',
      '  ┆ /srv',
    ])
    expect(fitCall('  │ aaaa bbbb cccc dddd', 20)).toEqual(['  │ aaaa bbbb cccc d', '  ┆ ddd'])
  })

  it('leaves lines alone where nobody looks', () => {
    expect(fitToWidth('x'.repeat(500), undefined)).toEqual(['x'.repeat(500)])
  })
})
