import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../errors.ts'
import { canonicalize, MAX_DEPTH } from './json.ts'
import { parseJson } from './parse-json.ts'
import { parseStrictJson } from './strict-json.ts'

describe('canonicalize', () => {
  it('P3: writes the example of RFC 8785', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\u0022/",
      literals: [null, true, false],
    }
    expect(canonicalize(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('P3: sorts keys by UTF-16 code units, not by code points or by locale', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', 'a', 'B', '10', '2', '']
    const value = Object.fromEntries(names.map((name) => [name, 0]))
    const order = Object.keys(JSON.parse(canonicalize(value).replaceAll(/"(\d+)"/g, '"n$1"')))
    expect(order).toEqual([
      '',
      '\r',
      'n1',
      'n10',
      'n2',
      'B',
      'a',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33',
    ])
  })

  it('P3: writes numbers as ECMAScript does', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [-0, '0'],
      [1.0, '1'],
      [5e-324, '5e-324'],
      [-5e-324, '-5e-324'],
      [1.7976931348623157e308, '1.7976931348623157e+308'],
      [9007199254740992, '9007199254740992'],
      [295147905179352830000, '295147905179352830000'],
      [1e21, '1e+21'],
      [1e-7, '1e-7'],
      [0.000001, '0.000001'],
    ]
    for (const [value, text] of cases) expect(canonicalize(value)).toBe(text)
  })

  it('writes strings with the shortest escapes and leaves the rest alone', () => {
    expect(canonicalize('\b\t\n\f\r"\\/\u0001\u007f\u2028😀')).toBe(
      '"\\b\\t\\n\\f\\r\\"\\\\/\\u0001\u007f\u2028😀"',
    )
  })

  it('counts a property whose value is undefined as absent', () => {
    expect(canonicalize({ a: undefined, b: 1, c: undefined })).toBe('{"b":1}')
    expect(canonicalize({ a: undefined })).toBe('{}')
  })

  it('keeps __proto__ as a key, and takes plain objects of other realms and without a prototype', () => {
    expect(canonicalize(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
    expect(canonicalize(runInNewContext('({b: [1], a: {}})'))).toBe('{"a":{},"b":[1]}')
    expect(canonicalize(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
  })

  it('P3: refuses what has no faithful form, and says where it is', () => {
    class Point {
      x = 1
    }
    const cases: [unknown, string, string][] = [
      [{ a: [1, Number.NaN] }, 'NaN is not a JSON number', '/a/1'],
      [Number.POSITIVE_INFINITY, 'Infinity is not a JSON number', ''],
      [undefined, 'undefined is not JSON', ''],
      [[undefined], 'undefined is not JSON', '/0'],
      [new Array(1), 'undefined is not JSON', '/0'],
      [{ n: 1n }, 'a bigint is not JSON', '/n'],
      [{ f: () => 1 }, 'a function is not JSON', '/f'],
      [{ s: Symbol('x') }, 'a symbol is not JSON', '/s'],
      [{ toJSON: () => 'other' }, 'a function is not JSON', '/toJSON'],
      [{ d: new Date(0) }, 'a Date is not plain JSON', '/d'],
      [new Map(), 'a Map is not plain JSON', ''],
      [new Uint8Array(2), 'a Uint8Array is not plain JSON', ''],
      [Object(1), 'a Number is not plain JSON', ''],
      [new Point(), 'a Point is not plain JSON', ''],
      [new (class {})(), 'a class instance is not plain JSON', ''],
      [{ 'a/b~c': '\ud800' }, 'lone surrogate', '/a~1b~0c'],
      ['\udc00', 'lone surrogate', ''],
    ]
    for (const [value, why, pointer] of cases) {
      const error = errorOf(() => canonicalize(value))
      expect(error.code).toBe('not_canonical')
      expect(error.message).toContain(why)
      expect(error.details).toEqual({ pointer })
    }
    expect(errorOf(() => canonicalize({ '\ud800': 1 })).message).toContain('lone surrogate')
  })

  it('P5: refuses cycles and deep nesting instead of overflowing the stack', () => {
    const nest = (levels: number) => {
      let value: unknown = 1
      for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value }
      return value
    }
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    expect(errorOf(() => canonicalize(cycle)).message).toContain('deeper than 100')
    expect(() => canonicalize(nest(MAX_DEPTH))).not.toThrow()
    expect(errorOf(() => canonicalize(nest(MAX_DEPTH + 1))).code).toBe('not_canonical')
    expect(errorOf(() => canonicalize(nest(MAX_DEPTH), { depth: 1 })).code).toBe('not_canonical')
  })

  it('P5: gives up at the length limit, also on objects that refer to one child again and again', () => {
    let bomb: unknown = []
    for (let level = 0; level < 90; level++) bomb = [bomb, bomb]
    expect(errorOf(() => canonicalize(bomb, { maxLength: 1000 })).code).toBe('too_large')
    expect(errorOf(() => canonicalize('x'.repeat(2000), { maxLength: 1000, at: '/a' })).message).toContain(
      '/a',
    )
  })

  it('P5: carries at most the beginning of a long key in its message', () => {
    const error = errorOf(() =>
      canonicalize({ ['k'.repeat(100_000)]: { ['j'.repeat(100_000)]: Number.NaN } }),
    )
    expect(error.message.length).toBeLessThan(500)
  })

  it('P3: reads every property once, so that a getter has nothing to change in between', () => {
    let reads = 0
    const value = {
      get amount() {
        return ++reads
      },
    }
    expect(canonicalize({ value })).toBe('{"value":{"amount":1}}')
    expect(reads).toBe(1)
  })

  const json = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })

  it('property: P3: parse and canonicalize again gives the same text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value)
        expect(canonicalize(parseJson(text))).toBe(text)
        expect(canonicalize(parseStrictJson(text))).toBe(text)
      }),
    )
  })

  it('property: P3: neither the order of keys nor spaces change the text, and the value comes back', () => {
    const reversed = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(reversed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, member]) => [key, reversed(member)]),
      )
    }
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalize(value)
        expect(canonicalize(reversed(value))).toBe(text)
        expect(canonicalize(parseJson(JSON.stringify(value, null, 2)))).toBe(text)
        expect(parseJson(text)).toEqual(parseJson(JSON.stringify(value)))
      }),
    )
  })

  it('property: the length limit never refuses what fits', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), (value) => {
        const { length } = canonicalize(value)
        expect(canonicalize(value, { maxLength: length })).toHaveLength(length)
      }),
    )
  })
})

function errorOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error('it was accepted')
}
