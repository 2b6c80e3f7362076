import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prosePieces } from './prose-pieces.ts'

describe('prose', () => {
  it('has paragraphs, and code between fences', () => {
    expect(prosePieces('One\ntwo\n\nThree\n```ts\nconst a = 1\n\nconst b = 2\n```\nFour')).toEqual([
      { kind: 'text', text: 'One\ntwo' },
      { kind: 'text', text: 'Three' },
      { kind: 'code', text: 'const a = 1\n\nconst b = 2', label: 'ts' },
      { kind: 'text', text: 'Four' },
    ])
  })

  it('takes code that is still being written for code', () => {
    expect(prosePieces('Look:\n~~~\nrm -rf')).toEqual([
      { kind: 'text', text: 'Look:' },
      { kind: 'code', text: 'rm -rf' },
    ])
  })

  it('closes a fence only with one like it', () => {
    expect(prosePieces('````\n```\ninside\n```\n````\nout')).toEqual([
      { kind: 'code', text: '```\ninside\n```' },
      { kind: 'text', text: 'out' },
    ])
  })

  it('P9 property: no word is lost, whatever the model says', () => {
    const line = fc.oneof(fc.string(), fc.constantFrom('', '```', '~~~', '```js', 'a b '))
    const bare = (text: string) => text.replaceAll(/[\s`~]/g, '')
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const shown = prosePieces(lines.join('\n')).map(({ text, label = '' }) => label + text)
        expect(bare(shown.join(''))).toBe(bare(lines.join('\n')))
      }),
    )
  })

  it('cuts a line without an end, and never a character', () => {
    const text = '𝒳'.repeat(9000)
    const pieces = prosePieces(text)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.every(({ text: part }) => part.isWellFormed())).toBe(true)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  })
})
