import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/json/json.ts'
import { visibleArguments } from './visible-arguments.ts'

/** What a person could not see, or would see wrongly. */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Cs}]--[\n\t]]/v

const json = fc
  .dictionary(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }),
    { maxKeys: 6 },
  )
  .map((value) => value as JsonObject)

describe('visible arguments', () => {
  it('P9, property: nothing hidden is left in them, in keys or in values', () => {
    fc.assert(
      fc.property(json, (args) => {
        const texts: string[] = []
        JSON.stringify(visibleArguments(args).value, (key, value) => {
          texts.push(key)
          if (typeof value === 'string') texts.push(value)
          return value
        })
        expect(texts.filter((text) => HIDDEN.test(text))).toEqual([])
      }),
    )
  })

  it('P9, property: what is plain stays as it is', () => {
    const plain = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.oneof(fc.integer(), fc.stringMatching(/^[ -~\n]{0,40}$/)),
    )
    fc.assert(
      fc.property(plain, (args) => {
        fc.pre(!JSON.stringify(args).includes('⟨'))
        const shown = visibleArguments(args as JsonObject)
        if (!JSON.stringify(shown.value).includes('⟨masked'))
          expect(shown).toEqual({ value: args, shortened: false })
      }),
    )
  })

  it('property: they keep to the limit, and say when something was left out', () => {
    const large = fc.dictionary(
      fc.string({ maxLength: 40 }),
      fc.array(fc.string({ maxLength: 3000 }), { maxLength: 8 }),
    )
    fc.assert(
      fc.property(large, (args) => {
        const limit = 1000
        const whole = visibleArguments(args as JsonObject)
        const { value, shortened } = visibleArguments(args as JsonObject, limit)
        expect(JSON.stringify(value).length).toBeLessThanOrEqual(limit)
        expect(shortened).toBe(JSON.stringify(whole.value).length > limit)
        if (shortened) expect(JSON.stringify(value)).toContain('left out⟩')
      }),
      { numRuns: 60 },
    )
  })

  it('P9: a secret is masked, and a text that looks like a mask is not one', () => {
    const { value } = visibleArguments({
      token: `ghp_${'a1B2'.repeat(9)}`,
      fake: '⟨masked: GitHub token, 40 characters⟩',
    })
    expect(value.token).toBe('⟨masked: GitHub token, 40 characters⟩')
    expect(value.fake).toBe('⟨U+27E8⟩masked: GitHub token, 40 characters⟩')
  })

  it('keeps a member named __proto__ a member', () => {
    const { value } = visibleArguments(JSON.parse('{"__proto__":"x"}'))
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})
