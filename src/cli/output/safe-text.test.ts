import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeVisible } from '../../display/index.ts'
import { rendered, safeJson, visible, visibleLines } from './safe-text.ts'

/** What a terminal would obey or swallow. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u
const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\u2028',
      '\u{e0041}',
      '⟨',
      '\n',
      '\t',
      '\\',
      '"',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
})

describe('text for a terminal', () => {
  it('P9: has no character that can’t be seen, wherever it comes from', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        for (const shown of [
          visible(text),
          visibleLines(text),
          rendered(text),
          safeJson({ text, [text]: 1 }, 2),
        ]) {
          expect(shown).not.toMatch(HIDDEN)
        }
        expect(visible(text)).not.toMatch(/[\n\t]/)
      }),
    )
  })

  it('P9: what was rendered elsewhere is not rendered twice', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const once = makeVisible(text, { lines: 'keep' }).text
        expect(rendered(once)).toBe(once)
      }),
    )
  })

  it('P3: JSON says the same in letters that can be seen', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), nasty, (value, text) => {
        const whole = { value, text }
        expect(JSON.parse(safeJson(whole))).toEqual(JSON.parse(JSON.stringify(whole)))
      }),
    )
  })
})
