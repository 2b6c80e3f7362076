import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteProgram, quoteWord } from '../../../core/support/quote-word.ts'
import { findBlindSpot } from '../parse/parser-blind-spots.ts'
import { readShell, readWords } from '../read/read-shell.ts'

const RUNS = 2000

/** Any text that a program can be given. */
const argument = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'ab \t\n\'"\\$`*?[]{}~=:#!;&|<>()/.-\r\u200b\u00a0\u{e0041}') }),
  )
  .map((text) => text.replaceAll('\0', ''))
  .filter((text) => text.isWellFormed())

describe('quoting', () => {
  it.each([
    ['abc', 'abc'],
    ['a/b.c-d_e=f:g,h@i%j+k', 'a/b.c-d_e=f:g,h@i%j+k'],
    ['', "''"],
    ['a b', "'a b'"],
    ["it's", "'it'\\''s'"],
    ['~', "'~'"],
    ['a=~', "'a=~'"],
    ['=a', "'=a'"],
    ['{}', '{}'],
    ['[', '['],
    ['a\nb', "$'a\\nb'"],
    ["a\n'b", "$'a\\n\\x27b'"],
    ['\u200b', "$'\\u200b'"],
    ['\u{e0041}', "$'\\U000e0041'"],
    ['é', 'é'],
  ])('%j is %s', (value, text) => {
    expect(quoteWord(value)).toBe(text)
  })

  it('a program with a name that means something to the shell is quoted', () => {
    expect(quoteProgram('if')).toBe("'if'")
    expect(quoteProgram('iff')).toBe('iff')
  })
})

describe('the normal form', () => {
  it('property: P3: reading it gives the same words again', () => {
    fc.assert(
      fc.property(fc.array(argument, { minLength: 1, maxLength: 4 }), (words) => {
        const line = ['x', ...words].map(quoteWord).join(' ')
        fc.pre(findBlindSpot(line) === undefined)
        const [command, ...others] = readShell(line).commands
        expect(others).toEqual([])
        expect(command?.words.map(({ value }) => value)).toEqual(words)
        expect(command?.words.some(({ pattern }) => pattern)).toBe(false)
        expect(command?.text).toBe(line)
      }),
      { numRuns: RUNS },
    )
  })

  it('property: P3: two lists of words never have the same text', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('a', ' ', "'", '\\', '"', '\n', 'n') }), {
      maxLength: 3,
    })
    fc.assert(
      fc.property(words, words, (one, other) => {
        const [a, b] = [one, other].map((each) => readWords(['x', ...each]).commands[0]?.text)
        expect(a === b).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
      { numRuns: RUNS },
    )
  })

  it('property: it hides nothing', () => {
    fc.assert(
      fc.property(argument, (word) => {
        const text = readWords(['x', word]).commands[0]?.text ?? ''
        expect(text).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u)
      }),
      { numRuns: RUNS },
    )
  })
})
