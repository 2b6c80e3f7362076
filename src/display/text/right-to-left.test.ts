import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { directionRuns, hasRightToLeft } from './right-to-left.ts'

/** Each run from right to left in brackets. */
const cut = (text: string): string =>
  directionRuns(text)
    .map((run) => (run.isRightToLeft ? `[${run.text}]` : run.text))
    .join('')

const SCRIPTS =
  'Hebrew Arabic Syriac Thaana Nko Samaritan Mandaic Adlam Mende_Kikakui Hanifi_Rohingya Yezidi Sogdian Phoenician Lydian ' +
  'Imperial_Aramaic Palmyrene Nabataean Hatran Avestan Old_Turkic Old_Hungarian Kharoshthi Manichaean Psalter_Pahlavi ' +
  'Inscriptional_Pahlavi Inscriptional_Parthian Old_South_Arabian Old_North_Arabian Cypriot Meroitic_Cursive Chorasmian Elymaic'

describe('what is written from right to left', () => {
  it.each([
    ['words around a sign', 'cat \u05d0 > \u05d1', 'cat [\u05d0] > [\u05d1]'],
    ['digits and signs', 'pay \u05d0 100 > 5', 'pay [\u05d0] 100 > 5'],
    ['each word for itself', 'שלום עולם', '[שלום] [עולם]'],
    ['signs without blanks', 'a/שלום-עולם.txt', 'a/[שלום]-[עולם].txt'],
    ['a word with its points', 'בְּרֵאשִׁית x', '[בְּרֵאשִׁית] x'],
    ['a letter with a mark of no script', '\u05d0\u0301x', '[\u05d0\u0301]x'],
    ['Arabic digits with the word that they follow', 'حساب١٢ 34', '[حساب١٢] 34'],
    ['Arabic digits alone, which turn a sign round', '١ > ٢', '[١] > [٢]'],
    ['other digits beside a word', 'א100', '[א]100'],
    ['shared Arabic signs', 'مرحبا؟ ـ', '[مرحبا؟] [ـ]'],
    ['letters beyond the first plane', '\u{1e900} = \u{10900}', '[\u{1e900}] = [\u{10900}]'],
    ['an Arabic mark on a Latin letter', 'a\u064bb', 'a\u064bb'],
    ['nothing', '', ''],
    ['text of the other direction', 'naïve 中文 😀', 'naïve 中文 😀'],
  ])('P9: cuts %s', (_, text, expected) => {
    expect(cut(text)).toBe(expected)
  })

  it('P9: knows every letter of the scripts from right to left', () => {
    for (const script of SCRIPTS.split(' ')) {
      const letter = new RegExp(`[\\p{sc=${script}}&&\\p{L}]`, 'v')
      let count = 0
      for (let code = 0x500; code < 0x1f000; code++) {
        const character = String.fromCodePoint(code)
        if (!letter.test(character)) continue
        count++
        if (!hasRightToLeft(character)) throw new Error(`U+${code.toString(16)} is ${script}`)
      }
      expect(count, script).toBeGreaterThan(5)
    }
  })

  it('P9: nothing is lost, doubled or left outside a run', () => {
    const part = fc.constantFrom(
      'א',
      'ב',
      'م',
      '١',
      '1',
      ' ',
      '>',
      '\u0301',
      '\u064b',
      'a',
      '中',
      '\u{1e900}',
      '\u{1e944}',
      '⟨ESC⟩',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('')
        const runs = directionRuns(text)
        expect(runs.map((run) => run.text).join('')).toBe(text)
        for (const run of runs) {
          expect(run.text).not.toBe('')
          const strong = run.text.replace(/\p{M}/gu, '')
          if (run.isRightToLeft) expect(strong).toMatch(/^[\u0590-\u08ff\u{1e900}]+$/u)
          else expect(hasRightToLeft(strong)).toBe(false)
        }
      }),
    )
  })
})
