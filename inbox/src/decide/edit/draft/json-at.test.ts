import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../../../src/client/index.ts'
import { childPointer, valueAt } from '../../../../../src/display/masks/json-pointer.ts'
import { isSameJson, withAt, withoutAt } from './json-at.ts'

describe('changing one place of a JSON value', () => {
  it('sets, adds and takes away, and leaves the rest the same', () => {
    const root: JsonObject = { a: { b: [1, 2, 3] }, c: { d: 1 } }
    expect(withAt(root, '/a/b/1', 9)).toEqual({ a: { b: [1, 9, 3] }, c: { d: 1 } })
    expect(withAt(root, '/a/b/3', 4)).toEqual({ a: { b: [1, 2, 3, 4] }, c: { d: 1 } })
    expect(withAt(root, '/e/f', 'x')).toMatchObject({ e: { f: 'x' } })
    expect(withoutAt(root, '/a/b/0')).toEqual({ a: { b: [2, 3] }, c: { d: 1 } })
    expect(withoutAt(root, '/c/d')).toEqual({ a: { b: [1, 2, 3] }, c: {} })
    expect(withoutAt(root, '/nothing')).toEqual(root)
    expect(withAt(root, '/a/b/1', 9).c).toBe(root.c)
  })

  it('keeps a member named __proto__ a member', () => {
    const root = JSON.parse('{"__proto__": {"a": 1}}') as JsonObject
    expect(JSON.stringify(withAt(root, '/__proto__/a', 2))).toBe('{"__proto__":{"a":2}}')
    expect(JSON.stringify(withAt({}, '/__proto__', 'x'))).toBe('{"__proto__":"x"}')
    expect(isSameJson(root, JSON.parse('{"__proto__": {"a": 1}}'))).toBe(true)
    expect(isSameJson({}, root)).toBe(false)
  })

  it('property: what is set at a place is there, every other place is as it was', () => {
    const member = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'a/b', 'a~b', '', '0'))
    fc.assert(
      fc.property(fc.dictionary(member, fc.jsonValue()), member, fc.jsonValue(), (made, key, value) => {
        const root = JSON.parse(JSON.stringify(made)) as JsonObject
        const wanted = JSON.parse(JSON.stringify(value))
        const pointer = childPointer('', key)
        const next = withAt(root, pointer, wanted)
        expect(isSameJson(valueAt(next, pointer), wanted)).toBe(true)
        for (const other of Object.keys(root)) {
          if (other !== key) expect(valueAt(next, childPointer('', other))).toBe(root[other])
        }
        const hadIt = Object.hasOwn(root, key)
        expect(isSameJson(hadIt ? next : withoutAt(next, pointer), root)).toBe(
          !hadIt || isSameJson(root[key], wanted),
        )
      }),
    )
  })
})
