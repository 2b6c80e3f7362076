import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../test/fixtures/property-runs.ts'
import { skipSpace } from '../../core/json/json-text.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { type ByteSpan, decodeString, doubledKey, itemsAt, membersAt } from './json-members.ts'

const latin1 = (text: string) => Buffer.from(text).toString('latin1')
const valueAt = (text: string, { from, to }: ByteSpan) =>
  parseJson(Buffer.from(text.slice(from, to), 'latin1').toString('utf8'))

/** A value with the text that it is written as: members in order, names as they came, doubled ones too. */
interface Written {
  text: string
  /** The names that stand twice in one object. */
  doubled: string[]
}

const space = fc.constantFrom('', ' ', '\t', '\r\n ', '  ')

/** A text, with some of its characters escaped. */
const writtenString = fc
  .array(
    fc.oneof(
      fc
        .string({ minLength: 1, maxLength: 3, unit: 'grapheme' })
        .map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom(
        '\\\\',
        '\\"',
        '\\/',
        '\\u002f',
        '\\u0022',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\ud83d\\ude00',
      ),
    ),
    { maxLength: 4 },
  )
  .map((parts) => `"${parts.join('')}"`)

const name = fc.oneof(
  fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"', '"é"', '"\\u00e9"', '""'),
  writtenString,
)

const { value } = fc.letrec<{ value: Written; object: Written; list: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(writtenString, fc.constantFrom('1', '-0.5e+3', '12345678901234567890', 'true', 'false', 'null'))
      .map((text) => ({ text, doubled: [] })),
    tie('object'),
    tie('list'),
  ),
  list: fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([items, gap]) => ({
    text: `[${gap}${items.map(({ text }) => text).join(`${gap},`)}${gap}]`,
    doubled: items.flatMap(({ doubled }) => doubled),
  })),
  object: fc.tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }), space).map(([members, gap]) => {
    const names = members.map(([written]) => JSON.parse(written) as string)
    return {
      text: `{${gap}${members.map(([key, { text }]) => `${key}${gap}:${gap}${text}`).join(`${gap},${gap}`)}${gap}}`,
      doubled: [
        ...names.filter((one, index) => names.indexOf(one) !== index),
        ...members.flatMap(([, { doubled }]) => doubled),
      ],
    }
  }),
}))

describe('membersAt and itemsAt', () => {
  it('finds what a parser finds, wherever it is cut out of the bytes', () => {
    fc.assert(
      fc.property(value, space, ({ text: written, doubled }, gap) => {
        fc.pre(doubled.length === 0)
        const text = latin1(gap + written)
        const from = skipSpace(text, 0)
        const parsed: unknown = parseJson(written)
        if (Array.isArray(parsed)) {
          expect(itemsAt(text, from).map((item) => valueAt(text, item))).toEqual(parsed)
        } else if (typeof parsed === 'object' && parsed !== null) {
          const members = membersAt(text, from)
          expect([...members.keys()].toSorted()).toEqual(Object.keys(parsed).toSorted())
          for (const [key, span] of members)
            expect(valueAt(text, span)).toEqual((parsed as Record<string, unknown>)[key])
        } else if (typeof parsed === 'string') {
          expect(decodeString(text, { from, to: text.length })).toBe(parsed)
        }
      }),
      { numRuns: runs(500) },
    )
  })

  it('ends on texts that are no JSON, whatever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'a', '1', ' ', '"a":'), {
          maxLength: 12,
        }),
        (parts) => {
          const text = parts.join('')
          expect(itemsAt(`[${text}`, 0).length).toBeLessThanOrEqual(text.length + 1)
          try {
            membersAt(`{${text}`, 0)
          } catch (error) {
            expect(error).toBeInstanceOf(SyntaxError)
          }
        },
      ),
      { numRuns: runs(1000) },
    )
  })
})

describe('doubledKey', () => {
  it('finds a name that stands twice in one object, and no other', () => {
    fc.assert(
      fc.property(value, ({ text, doubled }) => {
        const found = doubledKey(latin1(text))
        if (doubled.length === 0) expect(found).toBeUndefined()
        else expect(doubled).toContain(found)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('takes time in proportion to the text, also where it is all escapes or all brackets', () => {
    const long = 200_000
    expect(doubledKey(`${'['.repeat(long)}${']'.repeat(long)}`)).toBeUndefined()
    expect(doubledKey(`${'{"a":'.repeat(long)}1${'}'.repeat(long)}`)).toBeUndefined()
    expect(doubledKey(`{"${'\\\\'.repeat(long)}":1,"a":2,"a":3}`)).toBe('a')
    expect(doubledKey(`{"${'\\"'.repeat(long)}":1,"a":2,"a":3}`)).toBe('a')
  })
})
