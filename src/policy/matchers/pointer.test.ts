import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { checkPointer, compilePointer, valuesAt } from './pointer.ts'

describe('valuesAt', () => {
  const value: JsonValue = {
    path: '/x',
    edits: [{ path: 'a' }, { path: 'b' }, { other: 1 }],
    'a/b': { 'c~d': 1 },
    '': { '': 2 },
    none: null,
  }

  it('reads as RFC 6901 says', () => {
    const cases: [pointer: string, found: JsonValue[]][] = [
      ['', [value]],
      ['/path', ['/x']],
      ['/edits/0/path', ['a']],
      ['/edits/2/path', []],
      ['/edits/3', []],
      ['/edits/-', []],
      ['/edits/00', []],
      ['/edits/ 0', []],
      ['/edits/1e0', []],
      ['/a~1b/c~0d', [1]],
      ['/a~1b/c~d', [1]],
      ['//', [2]],
      ['/none', [null]],
      ['/none/x', []],
      ['/path/0', []],
      ['/path/length', []],
    ]
    for (const [pointer, found] of cases) {
      expect(
        valuesAt(value, pointer).map((one) => one.value),
        pointer,
      ).toEqual(found)
      expect(compilePointer(pointer)(value), pointer).toEqual(found[0])
    }
  })

  it('takes * for every item or member, and says which', () => {
    expect(valuesAt(value, '/edits/*/path')).toEqual([
      { pointer: '/edits/0/path', value: 'a' },
      { pointer: '/edits/1/path', value: 'b' },
    ])
    expect(valuesAt({ 'a/b': [1], c: 2 }, '/*/*')).toEqual([{ pointer: '/a~1b/0', value: 1 }])
    expect(valuesAt('text', '/*')).toEqual([])
  })

  it('P5: never reads what a value inherits', () => {
    for (const step of ['__proto__', 'constructor', 'toString', 'length', 'hasOwnProperty']) {
      expect(valuesAt({ a: {} }, `/a/${step}`)).toEqual([])
      expect(valuesAt([[]], `/0/${step}`)).toEqual([])
      expect(compilePointer(`/a/${step}/x`)({ a: {} })).toBeUndefined()
    }
    expect(valuesAt(JSON.parse('{"__proto__":{"x":1}}'), '/__proto__/x')).toEqual([
      { pointer: '/__proto__/x', value: 1 },
    ])
  })

  it('property: finds every value of a document at its own pointer, and gives that pointer back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), (document) => {
        const missed = everyValue(document as JsonValue, '').filter(({ pointer, value: inner }) => {
          const [found, ...more] = valuesAt(document as JsonValue, pointer)
          const isFound = more.length === 0 && found?.pointer === pointer && Object.is(found.value, inner)
          return !isFound || !Object.is(compilePointer(pointer)(document as JsonValue), inner)
        })
        expect(missed).toEqual([])
      }),
    )
  })
})

function everyValue(value: JsonValue, pointer: string): { pointer: string; value: JsonValue }[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value)
          .filter(([key]) => key !== '*')
          .flatMap(([key, member]) => everyValue(member, pointer + pointerStep(key)))
      : []
  return [{ pointer, value }, ...inner]
}

describe('checkPointer', () => {
  it('takes pointers', () => {
    for (const pointer of ['/a', '/a/0/b', '/a~1b~0c', '/é', '//a']) {
      expect(checkPointer(pointer, '/at')).toBe(pointer)
    }
    expect(checkPointer('/edits/*/path', '/at', { star: true })).toBe('/edits/*/path')
  })

  it('refuses what is none, and says what would be right', () => {
    const cases: [pointer: unknown, words: string][] = [
      ['environment', 'write /environment, not environment'],
      ['a.b', 'write /a/b, not a.b'],
      ['$.a.b[0]', 'write /a/b/0, not $.a.b[0]'],
      ["$['a'].b", "write /a/b, not $['a'].b"],
      ['#/a/b', 'write /a/b, not #/a/b'],
      ['', 'write /environment'],
      ['/a~2', 'neither ~0 (for ~) nor ~1 (for /)'],
      ['/a~', 'neither ~0 (for ~) nor ~1 (for /)'],
      ['/a/', 'ends with a slash'],
      ['/a/*', 'only under tools:'],
      ['/\ud800', 'lone surrogate'],
      [`/${'a'.repeat(1000)}`, 'the limit is 1000'],
      [5, 'must be a text; found a number'],
      [null, 'must be a text; found nothing'],
    ]
    for (const [pointer, words] of cases) {
      const error = refusalOf(() => checkPointer(pointer, '/rules/0'))
      expect(error.message).toContain(words)
      expect(error.details.pointer).toBe('/rules/0')
    }
  })
})

function refusalOf(act: () => unknown): BanksmanError {
  try {
    act()
  } catch (error) {
    if (error instanceof BanksmanError && error.code === 'invalid_policy') return error
    throw error
  }
  throw new Error('it was accepted')
}
