import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { maskArguments, unmaskEdit } from './mask.ts'
import { createCover, createQuotes } from './quote-arguments.ts'

const token = (n: number) => `ghp_${String(n).padStart(36, 'a')}`
const plain = (part: string) => part

describe('P9: secrets of a call in words about it', () => {
  it('are covered, the longest first, and what is cut is covered too', () => {
    const long = `sk-ant-api03-${'aB3'.repeat(40)}`
    const cover = createCover({ a: token(1), b: token(2), c: long })
    expect(cover(`x ${token(2)} y ${token(1)}${token(2)} ${long} ${long.slice(0, 79)}…`, plain)).toBe(
      'x ⟨masked: GitHub token #2, 40 characters⟩ y ⟨masked: GitHub token, 40 characters⟩⟨masked: GitHub token #2, 40 characters⟩ ⟨masked: Anthropic key, 133 characters⟩ ⟨masked: Anthropic key, 133 characters⟩…',
    )
  })

  it('tens of thousands of them overflow nothing', () => {
    const args: JsonObject = { keys: Array.from({ length: 22_000 }, (_, n) => token(n)) }
    expect(createQuotes(args)(`it names ${token(21_999)}`, 400)).toBe(
      'it names ⟨masked: GitHub token #22000, 40 characters⟩',
    )
    const { value } = maskArguments(args)
    expect(unmaskEdit({ ...value, more: 'masked: x' }, args)).toEqual({ ...args, more: 'masked: x' })
  })

  it('a mask that was copied to another place is still refused', () => {
    const args = { keys: [token(1), token(2)] }
    const inner = 'masked: GitHub token #2, 40 characters'
    expect(() => unmaskEdit({ ...maskArguments(args).value, note: `see ${inner}` }, args)).toThrow('a mask')
  })

  it('never stand in what is shown', () => {
    const secret = fc.integer({ min: 0, max: 30 }).map(token)
    const words = fc.array(fc.oneof(secret, fc.string({ maxLength: 5 })), { maxLength: 12 })
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 8 }), words, (keys, parts) => {
        const shown = createCover({ keys })(parts.join(''), plain)
        for (const key of keys) expect(shown).not.toContain(key)
        if (keys.length === 0) expect(shown).toBe(parts.join(''))
      }),
    )
  })
})
