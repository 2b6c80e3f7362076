import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeVisible } from '../../../../src/display/text/visible.ts'
import { serverTextSpans } from './server-text-spans.ts'

const join = (spans: { text: string }[]) => spans.map(({ text }) => text).join('')

describe('what the server tells of a call', () => {
  it('gives masks, escapes and marks their look back', () => {
    expect(
      serverTextSpans('run ⟨masked: GitHub token, 40 characters⟩ a⟨ESC⟩b⟨LF⟩ ⟨… 12 characters left out⟩'),
    ).toEqual([
      { kind: 'text', text: 'run ' },
      { kind: 'mask', text: '⟨masked: GitHub token, 40 characters⟩' },
      { kind: 'text', text: ' a' },
      { kind: 'escape', text: '⟨ESC⟩' },
      { kind: 'text', text: 'b' },
      { kind: 'spelled', text: '⟨LF⟩' },
      { kind: 'text', text: ' ' },
      { kind: 'left-out', text: '⟨… 12 characters left out⟩' },
    ])
  })

  it('P9: writes out what was not visible yet', () => {
    expect(join(serverTextSpans('a\u202eb'))).toBe('a⟨U+202E RLO⟩b')
    expect(join(serverTextSpans('⟨a\u202eb⟩'))).toContain('⟨U+202E RLO⟩')
  })

  it('property: what is visible already stays as it is', () => {
    const unit = fc.constantFrom('a', ' ', '\u202e', '\n', '⟨', '⟩', '中', 'pаy', '😀', '\0', '×', '⟨ESC⟩')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const shown = makeVisible(units.join('')).text
        expect(join(serverTextSpans(shown))).toBe(shown)
      }),
    )
  })
})
