import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChoices } from './read-choices.ts'

describe('readChoices', () => {
  it('takes one option to the letter where one is to be chosen', () => {
    expect(readChoices('a', ['a', 'b'], false)).toEqual(['a'])
    expect(readChoices('a, b', ['a', 'b'], false)).toBe(undefined)
    expect(readChoices('A', ['a'], false)).toBe(undefined)
    expect(readChoices('', ['a'], false)).toBe(undefined)
  })

  it('cuts a joined text where several may be chosen, commas in labels or not', () => {
    expect(readChoices('a, b', ['a', 'b'], true)).toEqual(['a', 'b'])
    expect(readChoices('b', ['a', 'b'], true)).toEqual(['b'])
    expect(readChoices('yes, please, no', ['yes, please', 'no'], true)).toEqual(['yes, please', 'no'])
    expect(readChoices('a, c', ['a', 'b'], true)).toBe(undefined)
    expect(readChoices('a,b', ['a', 'b'], true)).toBe(undefined)
    expect(readChoices('a, ', ['a'], true)).toBe(undefined)
  })

  it('P5: what can be read in two ways is neither', () => {
    expect(readChoices('a, b', ['a', 'b', 'a, b'], true)).toBe('ambiguous')
  })

  it('P3: gives back what was joined, or says that it can not tell', () => {
    const labels = fc.uniqueArray(fc.constantFrom('a', 'b', 'a, b', 'b, a', ',', ', ', 'ab', 'x y'), {
      minLength: 1,
    })
    fc.assert(
      fc.property(labels, fc.nat(), (all, seed) => {
        const chosen = all.filter((_, index) => ((seed >> index) & 1) === 1)
        if (chosen.length === 0) chosen.push(all[0]!)
        const read = readChoices(chosen.join(', '), all, true)
        if (read !== 'ambiguous') expect(read).toEqual(chosen)
      }),
    )
  })

  it('a long text of many labels is read in time', () => {
    const labels = Array.from({ length: 20 }, (_, index) => `${'a, '.repeat(index)}a`)
    expect(readChoices(Array(5000).fill('a').join(', '), labels, true)).toBe('ambiguous')
    expect(readChoices('a, '.repeat(100_000), labels, true)).toBe(undefined)
  })
})
