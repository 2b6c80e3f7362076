import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frozenCopy } from './frozen-copy.ts'

describe('frozenCopy', () => {
  it('P3: copies any JSON value to the letter', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = frozenCopy(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('P11: a member named __proto__ is a member and no prototype', () => {
    const copy = frozenCopy(JSON.parse('{"__proto__":{"admin":true}}') as { admin?: boolean })
    expect(copy.admin).toBe(undefined)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}')
  })

  it('leaves the original as it was, and the copy unchangeable at every depth', () => {
    const original = { list: [{ name: 'a' }] }
    const copy = frozenCopy(original)
    original.list[0]!.name = 'b'
    expect(copy).toEqual({ list: [{ name: 'a' }] })
    expect(() => copy.list.push({ name: 'c' })).toThrow(TypeError)
    expect(() => Object.assign(copy.list[0]!, { name: 'c' })).toThrow(TypeError)
  })

  it('refuses what no store could keep', () => {
    for (const value of [1n, () => 1, Symbol('s')]) expect(() => frozenCopy({ value })).toThrow(TypeError)
  })
})
