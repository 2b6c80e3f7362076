import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePrefilter } from './text-prefilter.ts'

const NAMES = ['banksman.yaml', 'data', 'q']
const { test } = compilePrefilter(NAMES, ['4790'])

/** The same said as one pattern, which takes a step for each of the 64 characters at each beginning. */
const PATTERN = /banksman\.yaml|data|q|4790|(?:ba|da|q)[^/\s]{0,64}[*?[]/

describe('P11: the quick test for what is ours', () => {
  it('says what the pattern says', () => {
    const piece = fc.constantFrom(
      'ba',
      'da',
      'b',
      'a',
      'x',
      '*',
      '?',
      '[',
      '/',
      ' ',
      '\n',
      '4790',
      'data',
      'x'.repeat(63),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        expect(test(text)).toBe(PATTERN.test(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('looks at a text of a million beginnings once', () => {
    expect(test(`${'ba'.repeat(500_000)} *`)).toBe(false)
    expect(test(`${'ba'.repeat(500_000)}*`)).toBe(true)
  })
})
