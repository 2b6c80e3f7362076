import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LINK_CODE_BYTES, makeLinkCode, readLinkCode } from './link-code.ts'

const bytes = fc.uint8Array({ minLength: LINK_CODE_BYTES, maxLength: LINK_CODE_BYTES })

describe('a link code', () => {
  it('is read however people write it', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom(
          '',
          '/start ',
          '@some_bot ',
          '@some_bot link ',
          '/start@some_bot ',
          'link ',
          'LINK  ',
          '/link ',
          '关联 ',
        ),
        fc.constantFrom('-', '', ' '),
        fc.boolean(),
        (random, word, between, isLower) => {
          const code = makeLinkCode(random)
          const shown = code.replaceAll('-', between)
          const read = readLinkCode(` ${word}${isLower ? shown.toLowerCase() : shown}\n`)
          expect(read).toBe(code.replaceAll('-', ''))
        },
      ),
    )
  })

  it('has letters that an address can carry, and all of its 80 bits', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const same = one.every((byte, index) => byte % 32 === other[index]! % 32)
        expect(makeLinkCode(one)).toMatch(/^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/)
        expect(makeLinkCode(one) === makeLinkCode(other)).toBe(same)
      }),
    )
  })

  it('is read where letters were taken for digits', () => {
    expect(readLinkCode('oOiI-lL00-1111-ABCD')).toBe('001111001111ABCD')
  })

  it.each([
    '',
    'y',
    'hello',
    '/start',
    'link',
    'UUUU-UUUU-UUUU-UUUU',
    'ABCD-EFGH-0123-45678',
    `${'A'.repeat(16)}!`,
  ])('P5: %j is none', (text) => {
    expect(readLinkCode(text)).toBeUndefined()
  })

  it('P5: ten thousand letters are none, and take no time', () => {
    expect(readLinkCode(`link ${'A'.repeat(10_000)}`)).toBeUndefined()
    expect(readLinkCode(`link${' '.repeat(10_000)}ABCD-EFGH-0123-4567`)).toBeUndefined()
  })
})
