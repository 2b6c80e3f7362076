import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json/json.ts'
import { UNKNOWN_TOOL } from '../../core/known-tool.ts'
import { maskArguments } from '../masks/mask.ts'
import { unmaskEdit } from '../masks/unmask-edit.ts'
import { createQuotes, createSecretCover } from './quote-arguments.ts'

const token = (n: number) => `ghp_${String(n).padStart(36, 'a')}`
const plain = (part: string) => part

describe('P9: secrets of a call in words about it', () => {
  it('are covered, the longest first, and what is cut is covered too', () => {
    const long = `sk-ant-api03-${'aB3'.repeat(40)}`
    const cover = createSecretCover(maskArguments({ a: token(1), b: token(2), c: long }, UNKNOWN_TOOL))
    expect(cover(`x ${token(2)} y ${token(1)}${token(2)} ${long} ${long.slice(0, 79)}…`, plain)).toBe(
      'x ⟨masked: GitHub token #2, 40 characters⟩ y ⟨masked: GitHub token, 40 characters⟩⟨masked: GitHub token #2, 40 characters⟩ ⟨masked: Anthropic key, 133 characters⟩ ⟨masked: Anthropic key, 133 characters⟩…',
    )
  })

  it('tens of thousands of them overflow nothing', () => {
    const args: JsonObject = { keys: Array.from({ length: 22_000 }, (_, n) => token(n)) }
    expect(createQuotes(maskArguments(args, UNKNOWN_TOOL))(`it names ${token(21_999)}`, 400)).toBe(
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
        const shown = createSecretCover(maskArguments({ keys }, UNKNOWN_TOOL))(parts.join(''), plain)
        for (const key of keys) expect(shown).not.toContain(key)
        if (keys.length === 0) expect(shown).toBe(parts.join(''))
      }),
    )
  })
})

describe('P9: values hidden by their names, in words about the call', () => {
  const mask = (length: number, count = '') =>
    `⟨masked: hidden because of its name "passwords"${count}, ${length} characters⟩`
  const coverOf = (...passwords: string[]) => createSecretCover(maskArguments({ passwords }, UNKNOWN_TOOL))

  it('are covered in quotes and where they are all of the words; a word that happens to be the same is not', () => {
    const cover = coverOf('push', 'a "b" \\')
    expect(cover('git push runs "push"', plain)).toBe(`git push runs ${mask(4)}`)
    expect(cover('push', plain)).toBe(mask(4))
    expect(cover('it is "a \\"b\\" \\\\", no?', plain)).toBe(`it is ${mask(7)}, no?`)
    expect(createQuotes(maskArguments({ passwords: ['push'] }, UNKNOWN_TOOL))('"push"', 400)).toBe('"push"')
  })

  it('beside secrets by their shape, in the same words', () => {
    const cover = createSecretCover(maskArguments({ passwords: ['push'], key: token(1) }, UNKNOWN_TOOL))
    expect(cover(`"push" ${token(1)} "${token(1)}"`, plain)).toBe(
      `${mask(4)} ⟨masked: GitHub token, 40 characters⟩ "⟨masked: GitHub token, 40 characters⟩"`,
    )
  })

  it('an argument that acts is covered nowhere, and the masks have the numbers that they have in the call', () => {
    const args = { passwords: ['same', 'also'], token: 'path' }
    const known = { isKnown: true, acting: ['/passwords/0', '/token'] }
    expect(createSecretCover(maskArguments(args, known))('"same" "also" "path"', plain)).toBe(
      `"same" ${mask(4)} "path"`,
    )
  })

  it('never stand there in quotes, whatever they are', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '"', '\\', ' ', '\n'),
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), fc.array(text), (values, between) => {
        const words = between.map((part, n) => part + JSON.stringify(values[n % values.length])).join('')
        const shown = coverOf(...values)(words, plain)
        for (const value of values) expect(shown).not.toContain(JSON.stringify(value))
      }),
    )
  })

  it('of every length, in words that are all quotes, take no longer for being many', () => {
    const cover = coverOf(...Array.from({ length: 1200 }, (_, n) => 'a'.repeat(n + 2)))
    const words = '"a'.repeat(200_000)
    expect(cover(words, plain)).toBe(words)
    expect(cover(`${'\\"'.repeat(200_000)}"aa"`, plain)).toBe(`${'\\"'.repeat(200_000)}${mask(2)}`)
  })
})
