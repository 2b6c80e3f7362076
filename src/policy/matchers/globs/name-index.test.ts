import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { naiveGlob } from './fixtures/naive-glob.ts'
import { compileNameIndex } from './name-index.ts'

describe('compileNameIndex', () => {
  it('says where the patterns stand that match', () => {
    const index = compileNameIndex(['send_*', 'send_mail', '*', 'read_*', '*_mail', 's*_m*l'])
    expect(index.all('send_mail')).toEqual([1, 0, 2, 4, 5])
    expect(index.first('send_mail')).toBe(1)
    expect(index.all('read_me')).toEqual([2, 3])
    expect(index.all('')).toEqual([2])
    const strict = compileNameIndex(['send_mail', 'read_*'])
    expect(strict.all('send_mails')).toEqual([])
    expect(strict.first('send_mails')).toBe(-1)
  })

  it('counts a pattern that stands there twice as its first', () => {
    const index = compileNameIndex(['a', 'b*', 'a', 'b*', 'b**'])
    expect(index.all('a')).toEqual([0])
    expect(index.all('bc')).toEqual([1, 4])
  })

  it('matches nothing with an empty list, and the empty name only where a pattern does', () => {
    expect(compileNameIndex([]).all('')).toEqual([])
    expect(compileNameIndex([]).first('a')).toBe(-1)
    expect(compileNameIndex(['']).all('')).toEqual([0])
    expect(compileNameIndex(['']).all('a')).toEqual([])
  })

  it('does not take names from elsewhere for entries', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'length', '0']) {
      expect(compileNameIndex(['read']).first(name)).toBe(-1)
      expect(compileNameIndex([name]).first(name)).toBe(0)
    }
  })

  it('an answer that was given stays as it is', () => {
    const index = compileNameIndex(many((n) => `a*${n}`))
    const before = index.all('a_7')
    index.all('a_11')
    expect(before).toEqual([7])
  })

  // Short and long lists are kept in different ways; each of these is long enough to need all of them.
  it.each([
    ['by what they begin with', (n: number) => `mcp__${n}__*`, (n: number) => `mcp__${n}__create`],
    ['by what they end with', (n: number) => `*__${n}`, (n: number) => `mcp__x__${n}`],
    ['by both', (n: number) => `mcp__*__${n}`, (n: number) => `mcp__x__${n}`],
    ['by a piece between', (n: number) => `*__${n}_*`, (n: number) => `mcp__${n}_create`],
    [
      'by a piece between two that all share',
      (n: number) => `mcp*__${n}_*ed`,
      (n: number) => `mcp__${n}_created`,
    ],
    ['by names', (n: number) => `mcp__${n}`, (n: number) => `mcp__${n}`],
  ])('P5: among many, tells apart %s', (_, pattern, name) => {
    const index = compileNameIndex(many(pattern))
    for (let n = 0; n < MANY; n++) {
      expect(index.all(name(n))).toEqual([n])
      expect(index.first(name(n))).toBe(n)
    }
    expect(index.all(name(MANY))).toEqual([])
    expect(index.first(name(MANY))).toBe(-1)
  })

  const letters = fc.constantFrom('a', 'b', '\n', '\u{1f680}', '\u{1f600}', '\u00e9')
  const patterns = fc.string({ unit: fc.oneof(letters, fc.constant('*')), maxLength: 8 })
  const names = fc.string({ unit: letters, maxLength: 10 })
  it.each([
    ['short', 0, 12, 600],
    ['long', 30, 90, 350],
  ])(
    'P5, property: %s lists agree with the naive matcher, entry by entry',
    (_, minLength, maxLength, numRuns) => {
      let pairs = 0
      fc.assert(
        fc.property(
          fc.array(patterns, { minLength, maxLength, size: 'max' }),
          fc.array(names, { minLength: 20, maxLength: 60, size: 'max' }),
          (list, tried) => {
            const index = compileNameIndex(list)
            for (const name of tried) {
              const expected = naively(list, name)
              pairs += list.length
              if (!isSame(index.all(name), expected))
                expect({ name, all: index.all(name) }).toEqual({ name, all: expected })
              const first = index.first(name)
              if (expected.length === 0 ? first !== -1 : !expected.includes(first)) {
                expect({ name, first }).toEqual({ name, first: expected[0] ?? -1 })
              }
              if (list.includes(name)) expect(first).toBe(list.indexOf(name))
            }
          },
        ),
        { numRuns },
      )
      expect(pairs).toBeGreaterThan(minLength === 0 ? 100_000 : 500_000)
    },
  )

  it('property: a longer list never matches less', () => {
    fc.assert(
      fc.property(fc.array(patterns, { maxLength: 50, size: 'max' }), patterns, names, (list, more, name) => {
        const before = compileNameIndex(list).all(name)
        expect(compileNameIndex([...list, more]).all(name)).toEqual(expect.arrayContaining([...before]))
      }),
    )
  })

  it('P5: is done with lists on which comparing at every place would take ages', () => {
    const letters = 'a'.repeat(10_000)
    const lists = [
      many((n) => `${'*a'.repeat(100)}*b${n}`),
      many((n) => `*${'a'.repeat(n)}b${'a'.repeat(n)}*`),
      many((n) => `${'a'.repeat(n)}*${'a'.repeat(n)}b*${'a'.repeat(n)}`),
      many((n) => `*${'a'.repeat(n)}*b`),
    ]
    for (const list of lists) {
      expect(compileNameIndex(list).all(letters)).toEqual([])
      expect(compileNameIndex(list).first(`${letters}\u{1f680}`)).toBe(-1)
    }
    expect(compileNameIndex(many((n) => `${'a'.repeat(n)}*`)).all(letters)).toHaveLength(MANY)
  })
})

const MANY = 300

function many(pattern: (n: number) => string): string[] {
  return Array.from({ length: MANY }, (_, n) => pattern(n))
}

function naively(list: readonly string[], name: string): number[] {
  const matching = list.flatMap((pattern, index) =>
    list.indexOf(pattern) === index && naiveGlob(pattern, name) ? [index] : [],
  )
  const isName = (index: number) => !list[index]!.includes('*')
  return [...matching.filter(isName), ...matching.filter((index) => !isName(index))]
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at])
}
