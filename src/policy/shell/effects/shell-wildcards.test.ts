import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitsName, fitsText, saysOfName } from './shell-wildcards.ts'

describe('fitsName', () => {
  it('P11: knows what a pattern of a shell may find', () => {
    for (const pattern of ['.banksman', '.b*', '.?anksman', '.[a-c]anksman', '.*', '.??*', '.[!.]*', '.*n']) {
      expect(fitsName(pattern, '.banksman'), pattern).toBe(true)
    }
    for (const pattern of ['*', '*anksman', '?banksman', '[.]banksman', '.b', '.bank?', '.*x', 'b*']) {
      expect(fitsName(pattern, '.banksman'), pattern).toBe(false)
    }
  })

  it('property: fits as the same regular expression does', () => {
    const letter = fc.constantFrom('a', 'b', '.', '*', '?', '[x]', '[!ab]')
    const pattern = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))
    const name = fc.array(fc.constantFrom('a', 'b', '.'), { maxLength: 8 }).map((letters) => letters.join(''))
    fc.assert(
      fc.property(pattern, name, (given, text) => {
        const source = given.replace(/\[[^\]]*\]|[?*.]/g, (mark) =>
          mark === '*' ? '.*' : mark === '.' ? '\\.' : '.',
        )
        expect(fitsText(given, text)).toBe(new RegExp(`^${source}$`, 's').test(text))
      }),
      { numRuns: 5000 },
    )
  })

  it('P11: a pattern that is too long to be worked out may find anything', () => {
    expect(fitsName('[*'.repeat(5000), 'x')).toBe(true)
    expect(fitsText(`${'*a'.repeat(5000)}*`, 'x')).toBe(true)
  })
})

describe('saysOfName', () => {
  it('tells a pattern for a name from one for a folder', () => {
    for (const pattern of ['banksman.yaml', 'bank*', '*sman.yaml', '?anksman.*', '*anks*']) {
      expect(saysOfName(pattern, 'banksman.yaml'), pattern).toBe(true)
    }
    for (const pattern of ['*', '*.yaml', 'b*', '*.y*', '??nk*', '[b]*']) {
      expect(saysOfName(pattern, 'banksman.yaml'), pattern).toBe(false)
    }
  })
})
