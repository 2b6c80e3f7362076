import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordAfter, wordBefore, wordsWith } from './words-with.ts'

const SEPARATOR = /[\s;|]/
const WORD = /[^\s;|]+/g
const texts = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'ba', ' ', ';', '|', '\n', 'é', 'cd'), { maxLength: 40 })
  .map((parts) => parts.join(''))
const pieces = fc.array(fc.constantFrom('a', 'ab', 'b', 'cd', 'é', 'bb'), { maxLength: 3 })

describe('words that have a piece in them', () => {
  it('are those that one would find by looking at every word', () => {
    fc.assert(
      fc.property(texts, pieces, (text, wanted) => {
        const every = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, index }))
        expect(wordsWith(text, wanted, SEPARATOR)).toEqual(
          every.filter(({ word }) => wanted.some((piece) => word.includes(piece))),
        )
        every.forEach(({ word, index }, at) => {
          expect(wordBefore(text, index, SEPARATOR)).toBe(every[at - 1]?.word ?? '')
          expect(wordAfter(text, index + word.length, SEPARATOR)).toEqual(every[at + 1])
        })
      }),
      { numRuns: 300 },
    )
  })
})
