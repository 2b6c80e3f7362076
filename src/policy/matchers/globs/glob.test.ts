import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveGlob } from './fixtures/naive-glob.ts'
import { compileGlob } from './glob.ts'

describe('compileGlob', () => {
  it('matches the whole name, with * for anything', () => {
    const cases: [pattern: string, yes: string[], no: string[]][] = [
      ['send', ['send'], ['', 'sen', 'sends', 'Send', ' send']],
      ['', [''], ['a']],
      ['*', ['', 'a', 'a/b:c.d', 'a\nb', '\u2028'], []],
      ['**', ['', 'a'], []],
      ['send_*', ['send_', 'send_mail', 'send_a\r\nb'], ['send', 'xsend_']],
      ['*_delete', ['_delete', 'db_delete', 'a_delete_delete'], ['delete', 'db_deleted']],
      ['mcp:*:*', ['mcp::', 'mcp:a:b', 'mcp:a:b:c'], ['mcp:', 'mcp:a']],
      ['a*a', ['aa', 'aba'], ['a', 'ab']],
      ['ab*ba', ['abba', 'abxba'], ['aba']],
      ['*ab*ab*', ['abab', 'xabxabx'], ['ab', 'aba']],
      ['a*b*b', ['abb', 'axbxb'], ['ab', 'ba']],
    ]
    for (const [pattern, yes, no] of cases) {
      const matches = compileGlob(pattern)
      for (const name of yes)
        expect(matches(name), `${pattern} should match ${JSON.stringify(name)}`).toBe(true)
      for (const name of no)
        expect(matches(name), `${pattern} should not match ${JSON.stringify(name)}`).toBe(false)
    }
  })

  it('takes every other character literally', () => {
    for (const special of ['?', '[ab]', '{a,b}', '!a', 'a|b', '.', 'a+', '^a$', '\\', ',', '$&']) {
      expect(compileGlob(special)(special)).toBe(true)
      for (const other of ['a', 'b', 'x', 'aa']) expect(compileGlob(special)(other)).toBe(false)
    }
    expect(compileGlob('\u00e9')('e\u0301')).toBe(false)
  })

  it('property: agrees with the naive matcher on a million pairs', () => {
    const letters = fc.constantFrom('a', 'b', '.', '\n', '\u{1f680}', '\u{1f600}')
    const patterns = fc.array(fc.string({ unit: fc.oneof(letters, fc.constant('*')), maxLength: 8 }), MANY)
    const names = fc.array(fc.string({ unit: letters, maxLength: 12 }), MANY)
    let pairs = 0
    fc.assert(
      fc.property(patterns, names, (list, tried) => {
        for (const pattern of list) {
          const matches = compileGlob(pattern)
          for (const name of tried) {
            pairs++
            if (matches(name) !== naiveGlob(pattern, name)) expect({ pattern, name }).toBe('judged alike')
          }
        }
      }),
      { numRuns: 450 },
    )
    expect(pairs).toBeGreaterThan(1_000_000)
  })

  it('property: a pattern made from a name by putting stars into it matches the name', () => {
    const pieces = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('*', '')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(pieces, fc.infiniteStream(fc.boolean()), (parts, stars) => {
        const pattern = parts.map((part) => (stars.next().value ? '*' : part)).join('')
        expect(compileGlob(pattern)(parts.join(''))).toBe(true)
      }),
    )
  })

  it('P5: is done with a pattern on which backtracking would take ages', () => {
    expect(compileGlob(`${'*a'.repeat(2000)}*b`)('a'.repeat(10_000))).toBe(false)
    expect(compileGlob(`${'*a'.repeat(2000)}*`)('a'.repeat(10_000))).toBe(true)
    expect(compileGlob(`*${'a'.repeat(5000)}b*`)('a'.repeat(10_000))).toBe(false)
  })
})

const MANY = { minLength: 48, maxLength: 64, size: 'max' } as const
