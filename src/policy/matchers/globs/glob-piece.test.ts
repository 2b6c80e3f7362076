import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pieceOf } from './glob-piece.ts'

describe('pieceOf', () => {
  it('property: a piece of any length is found where indexOf finds it', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 90, size: 'max' })
    fc.assert(
      fc.property(letters, letters, letters, fc.nat(100), (before, piece, after, from) => {
        const { indexIn } = pieceOf(`${piece}b`)
        for (const text of [before, `${before}${piece}b${after}`, `${before}${piece}${piece}b`]) {
          expect(indexIn(text, from)).toBe(from > text.length ? -1 : text.indexOf(`${piece}b`, from))
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('P5: a long piece that almost fits everywhere is looked for once through the text', () => {
    const { indexIn } = pieceOf(`${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`)
    expect(indexIn('a'.repeat(1_000_000), 0)).toBe(-1)
  })
})
