import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/client/index.ts'
import {
  branchPreview,
  isBranch,
  MEMBERS_AT_A_TIME,
  membersOf,
  openAtFirst,
  valueOfBlock,
} from './json-tree.ts'

describe('a tree of arguments', () => {
  it('opens level by level as long as there is room', () => {
    const value = { a: { b: { c: 1 } }, list: Array.from({ length: 18 }, (_, index) => ({ index })) }
    expect([...openAtFirst(value, '/x', 40)].slice(0, 3)).toEqual(['/x', '/x/a', '/x/list'])
    expect(openAtFirst(value, '/x', 5)).toEqual(new Set(['/x', '/x/a', '/x/a/b']))
  })

  it('opens all entries of a list or none', () => {
    const few = [{ a: 1 }, { a: 2 }]
    expect(openAtFirst(few, '')).toEqual(new Set(['', '/0', '/1']))
    expect(openAtFirst(few, '', 3)).toEqual(new Set(['']))
  })

  it('opens the outermost however large it is', () => {
    expect(openAtFirst(Array(100_000).fill({ a: 1, b: 2 }), '')).toEqual(new Set(['']))
  })

  it('gives the members of a long list a part at a time, each in its place', () => {
    const list = Array.from({ length: 250 }, (_, index) => index)
    const second = membersOf(list, '/l', MEMBERS_AT_A_TIME, 2 * MEMBERS_AT_A_TIME)
    expect(second[0]).toEqual({ pointer: '/l/100', value: 100 })
    expect(second).toHaveLength(100)
  })

  it('a key with a slash or a tilde has a pointer of its own', () => {
    expect(membersOf({ 'a/b~c': 1 }, '')).toEqual([{ key: 'a/b~c', pointer: '/a~1b~0c', value: 1 }])
  })

  it('tells of a folded branch in a few words, with no secret among them', () => {
    const secret = (pointer: string) => pointer === '/a/token'
    const branch = { sku: 'S-1', token: 'hunter2', many: [1, 2], deep: { x: 1 } }
    expect(branchPreview(branch, '/a', secret)).toBe('sku: "S-1", token: •••, many: [2], deep: {…}')
    expect(branchPreview(['x'.repeat(90), 'y'.repeat(90), 'z'.repeat(9)], '', secret)).toMatch(
      /^"x{24}…", "y{24}…", …$/,
    )
    expect(branchPreview(Array(100_000).fill(0), '', secret).length).toBeLessThan(80)
  })

  it('finds what a block is about, one value or several', () => {
    const args = JSON.parse('{"a":{"b":1},"c":2,"__proto__":[3],"d/e":4}') as JsonObject
    expect(valueOfBlock(args, ['/a'])).toEqual({ value: { b: 1 }, pointer: '/a' })
    expect(JSON.stringify(valueOfBlock(args, ['/__proto__', '/d~1e'])?.value)).toBe(
      '{"__proto__":[3],"d/e":4}',
    )
    expect(valueOfBlock({}, ['/a'])).toBeUndefined()
    expect(valueOfBlock({ a: 1 }, ['/a', '/gone'])).toBeUndefined()
  })

  it('property: P9: walking the members comes by every value exactly once', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const root = given as JsonValue
        const seen: string[] = []
        const rebuild = (value: JsonValue, pointer: string): JsonValue => {
          seen.push(pointer)
          if (!isBranch(value)) return value
          const members = membersOf(value, pointer).map(
            (member) => [member.key, rebuild(member.value, member.pointer)] as const,
          )
          return Array.isArray(value)
            ? members.map(([, member]) => member)
            : Object.fromEntries(members as [string, JsonValue][])
        }
        expect(rebuild(root, '')).toEqual(root)
        expect(new Set(seen).size).toBe(seen.length)
      }),
    )
  })
})
