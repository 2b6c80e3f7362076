import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nearestWord } from './nearest-word.ts'

const KNOWN = ['mode', 'deny', 'ask', 'allow', 'reason']

describe('nearestWord', () => {
  it('finds what was probably meant', () => {
    const cases: [string, string | undefined][] = [
      ['alow', 'allow'],
      ['allows', 'allow'],
      ['ALLOW', 'allow'],
      ['aks', 'ask'],
      ['deyn', 'deny'],
      ['raeson', 'reason'],
      ['rules', undefined],
      ['', undefined],
      ['permissions', undefined],
      ['allow'.repeat(100), undefined],
    ]
    for (const [word, meant] of cases) expect(nearestWord(word, KNOWN), word).toBe(meant)
  })

  it('property: one wrong letter in a known word leads back to it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('allow', 'reason'),
        fc.nat(5),
        fc.constantFrom('x', 'z', ''),
        (word, at, letter) => {
          expect(nearestWord(word.slice(0, at) + letter + word.slice(at + 1), KNOWN)).toBe(word)
        },
      ),
    )
  })
})
