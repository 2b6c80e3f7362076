import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Reason } from '../../../../src/core/reasons/reason.ts'
import { sayKnown } from '../../../../src/display/reasons/say-reason.ts'
import { codePieces, cutAtQuotes } from './code-pieces.ts'

const unlisted = (what: string): Reason => ({
  code: 'ask',
  values: { why: { code: 'why.unlisted', values: { what } } },
})
/** Not quoted. */
const host = (value: string): Reason => ({ code: 'reach.host', values: { host: value } })
const shown = (reason: Reason) => codePieces(sayKnown(reason, 'en')!, reason)
const codeIn = (reason: Reason) =>
  shown(reason)
    .filter(({ isCode }) => isCode)
    .map(({ text }) => text)

describe('what a sentence quotes', () => {
  it('is code, without its backticks', () => {
    expect(shown(unlisted('git push'))).toEqual([
      { text: 'Needs approval: ', isCode: false },
      { text: 'git push', isCode: true },
      { text: " isn't on the allow list.", isCode: false },
    ])
    expect(cutAtQuotes('Run `a` or `b`').filter(({ isCode }) => isCode)).toHaveLength(2)
  })

  it('P9: a value keeps its own backticks, and they never become markup', () => {
    expect(codeIn(unlisted('echo `date`'))).toEqual(['echo `date`'])
    expect(codeIn(host('`x`'))).toEqual([])
    expect(codeIn(host('a ` b'))).toEqual([])
    const both: Reason = { code: 'ask', values: { why: [host('a`b'), unlisted('ls')] } }
    expect(codeIn(both)).toEqual([])
  })

  it('P9: no value loses a character, whatever it is made of', () => {
    const text = fc
      .string({ unit: fc.constantFrom('`', ' ', 'a', '{', '}') })
      .filter((it) => it.trim() !== '')
    fc.assert(
      fc.property(text, text, (one, other) => {
        const reason: Reason = { code: 'ask', values: { why: [host(one), unlisted(other)] } }
        const pieces = shown(reason)
        const plain = pieces.map((piece) => piece.text).join('')
        expect(plain).toContain(one)
        expect(plain).toContain(other)
        if (pieces.length > 1)
          expect(pieces.some(({ isCode, text: it }) => isCode && it === other)).toBe(true)
      }),
    )
  })
})
