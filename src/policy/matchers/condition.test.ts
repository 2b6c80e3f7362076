import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import type { ArgumentCondition } from '../language/language.ts'
import { compileCondition, needsResolvedPath } from './condition.ts'
import { type MatchResult, notMatching } from './match-result.ts'

const places = { roots: ['/space/app'], home: '/home/ana' }

function holds(block: ArgumentCondition, value: JsonValue | undefined, resolved?: string): MatchResult {
  return compileCondition(block, '', places)(value, { resolved })
}

describe('compileCondition', () => {
  it('compares JSON values in depth', () => {
    const cases: [block: ArgumentCondition, value: JsonValue | undefined, holds: MatchResult][] = [
      [{ equals: 'a' }, 'a', 'yes'],
      [{ equals: 'a' }, 'A', 'no'],
      [{ equals: 0 }, -0, 'yes'],
      [{ equals: null }, null, 'yes'],
      [{ equals: null }, 'x', 'no'],
      [{ equals: 'x' }, null, 'no'],
      [{ equals: { a: [1, { b: null }], c: 'x' } }, { c: 'x', a: [1, { b: null }] }, 'yes'],
      [{ equals: { a: 1 } }, { a: 1, b: 2 }, 'no'],
      [{ equals: { a: 1, b: 2 } }, { a: 1, c: 2 }, 'no'],
      [{ equals: [1, 2] }, [2, 1], 'no'],
      [{ equals: [1, 2] }, [1], 'no'],
      [{ equals: [] }, [], 'yes'],
      [{ equals: {} }, {}, 'yes'],
      [{ equals: JSON.parse('{"__proto__":1}') }, JSON.parse('{"__proto__":1}'), 'yes'],
      [{ equals: JSON.parse('{"toString":1}') }, {}, 'no'],
      [{ oneOf: ['a', 'b'] }, 'b', 'yes'],
      [{ oneOf: ['a', 'b'] }, 'c', 'no'],
      [{ oneOf: ['a', null] }, null, 'yes'],
    ]
    for (const [block, value, expected] of cases) {
      expect(holds(block, value), JSON.stringify([block, value])).toBe(expected)
    }
  })

  it('P5: a value of another type is unknown: it satisfies no allow and rules out no deny', () => {
    const blocks: [block: ArgumentCondition, others: JsonValue[]][] = [
      [{ equals: 200 }, ['200', true, [200], { 0: 200 }]],
      [{ equals: 'a' }, [['a'], 1, true, { a: 1 }]],
      [{ equals: true }, ['true', 1, 'yes']],
      [{ equals: ['a'] }, ['a', { 0: 'a' }]],
      [{ equals: { a: 1 } }, [{ a: '1' }, [1]]],
      [{ oneOf: [1, 2] }, ['1', [1]]],
      [{ gt: 100 }, ['200', '', [200], { a: 1 }, null, true]],
      [{ lte: 100 }, ['50', [50], null, false]],
      [{ glob: '*' }, [1, null, true, ['a'], {}]],
      [{ regex: '.' }, [1, null, true, ['a'], {}]],
      [{ path: '/**' }, [1, null, ['/x']]],
      [{ host: '*' }, [1, null, ['https://x.example']]],
    ]
    for (const [block, others] of blocks) {
      for (const other of others) {
        expect(holds(block, other), JSON.stringify([block, other])).toBe('unknown')
        expect(holds({ not: block }, other)).toBe('unknown')
      }
    }
  })

  it('a missing value fits no comparison', () => {
    const blocks: ArgumentCondition[] = [
      { equals: 'a' },
      { oneOf: [1] },
      { glob: '*' },
      { regex: '.*' },
      { gt: 0 },
      { gte: 0 },
      { lt: 0 },
      { lte: 0 },
      { exists: true },
      { path: '**' },
      { host: '*' },
    ]
    for (const block of blocks) {
      expect(holds(block, undefined), JSON.stringify(block)).toBe('no')
      expect(holds({ not: block }, undefined)).toBe('yes')
    }
    expect(holds({ exists: false }, undefined)).toBe('yes')
    expect(holds({ exists: false }, null)).toBe('no')
    expect(holds({ exists: true }, null)).toBe('yes')
  })

  it('compares numbers', () => {
    for (const [value, gt, gte, lt, lte] of [
      [1, 'no', 'no', 'yes', 'yes'],
      [2, 'no', 'yes', 'no', 'yes'],
      [2.5, 'yes', 'yes', 'no', 'no'],
    ] as const) {
      expect(holds({ gt: 2 }, value)).toBe(gt)
      expect(holds({ gte: 2 }, value)).toBe(gte)
      expect(holds({ lt: 2 }, value)).toBe(lt)
      expect(holds({ lte: 2 }, value)).toBe(lte)
    }
    expect(holds({ gt: 1, lte: 5 }, 5)).toBe('yes')
    expect(holds({ gt: 1, lte: 5 }, 6)).toBe('no')
  })

  it('matches texts, paths and addresses', () => {
    expect(holds({ glob: ['a*', 'b*'] }, 'bc')).toBe('yes')
    expect(holds({ glob: 'a*' }, 'Abc')).toBe('no')
    expect(holds({ regex: '^prod' }, 'production')).toBe('yes')
    expect(holds({ regex: '^prod$' }, 'production')).toBe('no')
    expect(holds({ path: './src/**' }, 'src/x', '/space/app/src/x')).toBe('yes')
    expect(holds({ path: ['/etc', './src/**'] }, 'src/x', '/space/app/src/x')).toBe('yes')
    expect(holds({ path: './src/**' }, 'src/x', '/etc/passwd')).toBe('no')
    expect(holds({ path: './src/**' }, 'src/x')).toBe('unknown')
    expect(holds({ host: ['a.example', '*.b.example'] }, 'https://x.b.example/')).toBe('yes')
    expect(holds({ host: 'a.example' }, 'https://a.example.evil.example/')).toBe('no')
    expect(holds({ host: 'a.example' }, 'a.example')).toBe('unknown')
  })

  it('joins conditions: all that is named must hold', () => {
    expect(holds({ glob: 'a*', not: { glob: '*z' } }, 'ab')).toBe('yes')
    expect(holds({ glob: 'a*', not: { glob: '*z' } }, 'az')).toBe('no')
    expect(holds({ any: [{ equals: 1 }, { gt: 10 }] }, 11)).toBe('yes')
    expect(holds({ any: [{ equals: 1 }, { gt: 10 }] }, 5)).toBe('no')
    expect(holds({ any: [{ glob: 'x' }, { gt: 10 }] }, 5)).toBe('unknown')
    expect(holds({ any: [{ glob: 'x' }, { gt: 10 }] }, 11)).toBe('yes')
    expect(holds({ all: [{ glob: 'x' }, { gt: 10 }] }, 5)).toBe('no')
    expect(holds({ all: [{ glob: 'x' }, { gt: 10 }] }, 11)).toBe('unknown')
    expect(holds({ not: { all: [{ gt: 1 }, { lt: 5 }] } }, 9)).toBe('yes')
  })

  const leaf = fc.oneof(
    fc.record<ArgumentCondition>({ equals: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<JsonValue> }),
    fc.record<ArgumentCondition>({ gt: fc.integer() }),
    fc.record<ArgumentCondition>({ glob: fc.constantFrom('*', 'a*', 'b') }),
    fc.record<ArgumentCondition>({ regex: fc.constantFrom('a', '^b', '[0-9]') }),
    fc.record<ArgumentCondition>({ exists: fc.boolean() }),
    fc.record<ArgumentCondition>({ path: fc.constantFrom('./a/**', '/x') }),
  )
  const value = fc.option(
    fc.oneof(fc.integer(), fc.constantFrom('a', 'b1', ''), fc.jsonValue({ maxDepth: 2 })),
    {
      nil: undefined,
    },
  ) as fc.Arbitrary<JsonValue | undefined>

  it('property: not, all and any follow the laws of logic, also where something is unknown', () => {
    fc.assert(
      fc.property(leaf, leaf, value, (one, other, given) => {
        expect(holds({ not: one }, given)).toBe(notMatching(holds(one, given)))
        expect(holds({ not: { all: [one, other] } }, given)).toBe(
          holds({ any: [{ not: one }, { not: other }] }, given),
        )
        expect(holds({ all: [one, other] }, given)).toBe(holds({ all: [other, one] }, given))
        expect(holds({ any: [one, other] }, given)).toBe(holds({ any: [other, one] }, given))
        expect(holds({ all: [one, one] }, given)).toBe(holds(one, given))
      }),
      { numRuns: 2000 },
    )
  })

  it('property: a value equals itself in any order of its keys, and is one of any list with it', () => {
    fc.assert(
      fc.property(
        fc.jsonValue() as fc.Arbitrary<JsonValue>,
        fc.jsonValue() as fc.Arbitrary<JsonValue>,
        (one, other) => {
          expect(holds({ equals: one }, reversed(one))).toBe('yes')
          expect(holds({ oneOf: [other, one] }, one)).toBe('yes')
          expect(holds({ equals: one }, other) === 'yes').toBe(holds({ equals: other }, one) === 'yes')
        },
      ),
    )
  })

  it('refuses what it does not understand, and says what would be right', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.not = cyclic
    const cases: [block: unknown, words: string, pointer: string, suggestion?: string][] = [
      ['production', 'such as { equals: "production" }', ''],
      [5, 'such as { equals: 5 }', ''],
      [['a'], 'such as { oneOf: […] }', ''],
      [null, 'such as { exists: true }', ''],
      [{}, 'would hold for every value', ''],
      [{ equal: 1 }, 'did you mean "equals"?', '/equal', 'equals'],
      [{ oneof: [1] }, 'did you mean "oneOf"?', '/oneof', 'oneOf'],
      [{ matches: 'a' }, 'allowed are equals, oneOf', '/matches'],
      [{ equals: Number.NaN }, 'NaN is not a JSON number', '/equals'],
      [{ gt: Number.POSITIVE_INFINITY }, 'gt must be a number; found Infinity', '/gt'],
      [{ gt: '5' }, 'write it without quotes', '/gt'],
      [{ lte: null }, 'lte must be a number; found nothing', '/lte'],
      [{ oneOf: [] }, 'empty list', '/oneOf'],
      [{ oneOf: 'a' }, 'must be a list', '/oneOf'],
      [{ oneOf: [1, Number.NaN] }, 'NaN', '/oneOf/1'],
      [{ glob: [] }, 'empty list', '/glob'],
      [{ glob: 5 }, 'glob must be a text', '/glob'],
      [{ regex: '(' }, 'missing closing )', '/regex'],
      [{ regex: '(?!a)' }, 'RE2 has no look-around', '/regex'],
      [{ exists: 'yes' }, 'exists must be true or false', '/exists'],
      [{ path: ['./a', 'a\\b'] }, 'write / between folders', '/path/1'],
      [{ host: 'a/b' }, 'has a path', '/host'],
      [{ not: {} }, 'would hold for every value', '/not'],
      [{ not: [] }, 'must be an object', '/not'],
      [{ all: [] }, 'empty list', '/all'],
      [{ any: [{ gt: 1 }, { gt: 'x' }] }, 'gt must be a number', '/any/1/gt'],
      [cyclic, 'nested deeper than 30 levels', '/not'.repeat(31)],
    ]
    for (const [block, words, pointer, suggestion] of cases) {
      const error = refusalOf(block)
      expect(error.message).toContain(words)
      expect(error.details.pointer).toBe(`/at${pointer}`)
      expect(error.details.suggestion).toBe(suggestion)
    }
  })
})

describe('needsResolvedPath', () => {
  it('is true where a path is compared, however deep', () => {
    expect(needsResolvedPath({ path: './x' })).toBe(true)
    expect(needsResolvedPath({ not: { all: [{ gt: 1 }, { any: [{ path: 'x' }] }] } })).toBe(true)
    expect(needsResolvedPath({ glob: './x', not: { any: [{ host: 'x' }] } })).toBe(false)
  })
})

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

function refusalOf(block: unknown): BanksmanError {
  try {
    compileCondition(block, '/at', places)
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy') return error
    throw error
  }
  throw new Error(`${JSON.stringify(block)} was accepted`)
}
