/** What goes to the server comes back, keeps its order, and never holds what a text of Postgres can't. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../core/json/parse-json.ts'
import { fromServer, jsonFromServer, jsonToServer, toServer } from './server-text.ts'

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('\u0000', '\u0001', '\u0002', '\\', 'u', '0', '1', 'a', '"', '😀') }),
  fc.string({ unit: 'binary' }),
)

describe('texts', () => {
  it('P3: come back exactly, without U+0000 on the way', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(toServer(text)).not.toContain('\u0000')
        expect(fromServer(toServer(text))).toBe(text)
      }),
    )
  })

  it('keep their order, byte by byte', () => {
    const order = (one: string, other: string) =>
      Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other)))
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(order(toServer(one), toServer(other))).toBe(order(one, other))
      }),
    )
  })

  it('P3: inside JSON are written as they are alone, nested JSON included', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const value = {
          text,
          [`name ${text}`]: 1,
          list: [text, `\\${text}`],
          nested: JSON.stringify({ [text]: text }),
        }
        const json = jsonToServer(value)
        expect(parseJson(json)).toEqual({
          text: toServer(text),
          [`name ${toServer(text)}`]: 1,
          list: [toServer(text), toServer(`\\${text}`)],
          nested: value.nested,
        })
        expect(jsonFromServer(json)).toEqual(value)
      }),
    )
  })

  it('lone surrogates become U+FFFD, and nothing near them changes', () => {
    expect(toServer('a\ud800b')).toBe('a\ufffdb')
    expect(JSON.parse(jsonToServer(['\ud800', '\\ud800', '\udfff\\', '😀']))).toEqual([
      '\ufffd',
      '\\ud800',
      '\ufffd\\',
      '😀',
    ])
  })
})
