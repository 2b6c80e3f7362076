import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameCharacter } from './escapes.ts'
import { makeVisible } from './visible.ts'

const shown = (text: string): string => makeVisible(text).text
const block = (text: string): string => makeVisible(text, { lines: 'keep' }).text

/** Characters that try to hide, next to ones that do not. */
const HOSTILE = [
  ...['\0', '\u0007', '\b', '\t', '\n', '\r', '\u001b', '\u007f', '\u0085', '\u009b', '\u00a0', '\u00ad'],
  ...['\u034f', '\u061c', '\u115f', '\u1160', '\u180e', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f'],
  ...['\u2028', '\u2029', '\u202a', '\u202c', '\u202e', '\u2060', '\u2066', '\u2069', '\u2800', '\u3000'],
  ...[
    '\u3164',
    '\ufe0e',
    '\ufe0f',
    '\ufeff',
    '\uffa0',
    '\ufffc',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e007f}',
    '\u{e0100}',
  ],
  ...['\ud800', '\udc00', '\ue000', '\u{10ffff}', '\u0301', '\u0307', '\u0336', '\u20e3', '\u20dd'],
  ...[
    '⟨',
    '⟩',
    '〈',
    '❬',
    '×',
    '⟨ESC⟩',
    '⟨masked: GitHub token, 40 characters⟩',
    'U+202E',
    ' '.repeat(70),
    '\n'.repeat(20),
  ],
  ...[
    'a',
    'i',
    '1',
    '-',
    ' ',
    '/',
    'а',
    'о',
    'ο',
    'и',
    '中',
    'の',
    '한',
    'ａ',
    '𝐚',
    '❤',
    '⚠',
    '😀',
    '1️⃣',
    '👨‍👩‍👧',
    'א',
    '∕',
  ],
]

const hostileText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code)),
      },
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''))

/** Reads the original back from what is shown: if that always works, no two texts look the same. */
function readBack(visible: string): string {
  return visible.replace(/⟨([^⟩]*)⟩/g, (_, inner: string) => {
    const [, label = '', run = '1'] = /^(.*?)(?: ×(\d+))?$/.exec(inner)!
    const code = CONTROL_CODES.get(label) ?? Number.parseInt(/^U\+([0-9A-F]+)/.exec(label)?.[1] ?? 'NaN', 16)
    return Number.isNaN(code) ? '' : String.fromCodePoint(code).repeat(Number(run))
  })
}

const CONTROL_CODES = new Map(
  [...Array.from({ length: 33 }, (_, code) => code), 127].map((code) => [nameCharacter(code).label, code]),
)

describe('makeVisible', () => {
  it.each([
    ['an ANSI colour', 'a\u001b[31mred', 'a⟨ESC⟩[31mred'],
    ['a carriage return that overwrites', 'rm -rf /\rls', 'rm -rf /⟨CR⟩ls'],
    ['backspaces', 'rm\b\bls', 'rm⟨BS ×2⟩ls'],
    ['null', 'a\0b', 'a⟨NUL⟩b'],
    ['an eight-bit control sequence', '\u009b31m', '⟨U+009B CSI⟩31m'],
    ['a right-to-left override', 'invoice\u202egpj.exe', 'invoice⟨U+202E RLO⟩gpj.exe'],
    ['isolates', '\u2067x\u2069', '⟨U+2067 RLI⟩x⟨U+2069 PDI⟩'],
    ['zero-width characters', 'a\u200bb\u2060c\ufeffd', 'a⟨U+200B ZWSP⟩b⟨U+2060 WJ⟩c⟨U+FEFF BOM⟩d'],
    ['a soft hyphen', 'pass\u00adword', 'pass⟨U+00AD SHY⟩word'],
    ['tag characters', 'hi\u{e0068}\u{e0069}', 'hi⟨U+E0068 TAG h⟩⟨U+E0069 TAG i⟩'],
    ['Hangul fillers', 'a\u3164b\u115f', 'a⟨U+3164 HF⟩b⟨U+115F HCF⟩'],
    ['line and paragraph separators', 'a\u2028b\u2029', 'a⟨U+2028 LSEP⟩b⟨U+2029 PSEP⟩'],
    ['unusual spaces', 'a\u00a0b\u2003c\u3000', 'a⟨U+00A0 NBSP⟩b⟨U+2003⟩c⟨U+3000 IDSP⟩'],
    ['blank Braille', '\u2800', '⟨U+2800 BLANK⟩'],
    ['private use and unassigned', '\ue000\u0378', '⟨U+E000⟩⟨U+0378⟩'],
    ['a lone surrogate', 'x\ud800', 'x⟨U+D800⟩'],
    ['a strike-through', 'r\u0336m', 'r⟨U+0336⟩m'],
    ['a mark on a hyphen', '-\u0301rf', '-⟨U+0301⟩rf'],
    ['a mark after something hidden', 'a\u200b\u0301', 'a⟨U+200B ZWSP⟩⟨U+0301⟩'],
    ['a selector after something hidden', '❤\u200b\ufe0f', '❤⟨U+200B ZWSP⟩⟨U+FE0F VS16⟩'],
    ['a dot on a letter that has one', 'i\u0307d', 'i⟨U+0307⟩d'],
    ['a stack of marks', `q${'\u0301'.repeat(6)}`, `q${'\u0301'.repeat(4)}⟨U+0301 ×2⟩`],
    ['an accent that is usually a part of the letter', 'cafe\u0301s', 'cafe⟨U+0301⟩s'],
    ['two of them', 'Vie\u0323\u0302t', 'Vie⟨U+0323⟩⟨U+0302⟩t'],
    ['one behind another mark', 'a\u0315\u0300', 'a\u0315⟨U+0300⟩'],
    ['marks in an unusual order', 'q\u0307\u0323', 'q\u0307⟨U+0323⟩'],
    ['an accent on a letter beyond the first plane', '\u{11099}\u{110ba}', '\u{11099}⟨U+110BA⟩'],
    ['a vowel sign in two parts', '\u0b95\u0bc6\u0bbe', '\u0b95\u0bc6⟨U+0BBE⟩'],
    ['a voiced sound in two parts', '\u304b\u3099', '\u304b⟨U+3099⟩'],
    ['a Korean syllable in parts', '\u1112\u1161\u11ab', '\u1112⟨U+1161⟩\u11ab'],
    ['a Korean syllable that goes on', 'x\ud558\u11aby', 'x\ud558⟨U+11AB⟩y'],
    ['second forms of letters', '5 \u212b, \u2126, \u212a', '5 ⟨U+212B⟩, ⟨U+2126⟩, ⟨U+212A⟩'],
    ['second forms of ideographs', '\uf900\u4e2d\u{2f800}', '⟨U+F900⟩\u4e2d⟨U+2F800⟩'],
    ['a second semicolon', 'ls\u037erm', 'ls⟨U+037E⟩rm'],
    ['a variation selector that does nothing', 'a\ufe0f', 'a⟨U+FE0F VS16⟩'],
    ['a selector on an emoji that needs none', '😀\ufe0f', '😀⟨U+FE0F VS16⟩'],
    ['joined emoji', '👩\u200d💻', '👩⟨U+200D ZWJ⟩💻'],
    ['a run too long to see past', `ls${' '.repeat(200)}; rm x`, 'ls⟨SPACE ×200⟩; rm x'],
    ['a line break and a tab in one line', 'a\nb\tc', 'a⟨LF⟩b⟨TAB⟩c'],
  ])('P9: writes out %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  it.each([
    ['plain text', 'git commit -m "fix: <b>bold</b> & more"'],
    ['accented letters', 'naïve été Việt Zażółć Ångström'],
    ['one script at a time', 'привет мир, γειά σου, שלום, नमस्ते, ภาษาไทย, こんにちは'],
    ['emoji with the selector they need', '⚠️ ❤️ 1️⃣ ✅'],
    ['sixty-four spaces', `a${' '.repeat(64)}b`],
  ])('P9: leaves %s alone', (_, text) => {
    expect(makeVisible(text)).toEqual({ text, spans: [{ kind: 'text', text }] })
  })

  it.each([
    ['French', 'Où est-ce que l’été s’achève, à Noël ?'],
    ['Polish', 'Zażółć gęślą jaźń'],
    ['Lithuanian', 'Įlinkdama fechtuotojo špaga, jį žeidė'],
    ['Vietnamese', 'Nguyễn Đặng Thị ở Huế, Việt Nam'],
    ['Yoruba', 'Ẹ̀kọ́ ọ̀rọ̀ àti ìwé'],
    ['Turkish', 'İstanbul’da ığdır şöyle'],
    ['Russian', 'Съешь ещё этих мягких французских булок, йод'],
    ['Greek', 'Ἐν ἀρχῇ ἦν ὁ λόγος, γειά σου Κόσμε'],
    ['Armenian', 'Բարև ձեզ'],
    ['Hebrew with points', 'בְּרֵאשִׁית בָּרָא אֱלֹהִים'],
    ['Arabic with points', 'الْحَمْدُ لِلَّهِ، ١٢٣'],
    ['Persian', 'سلام دنیا ۱۲۳'],
    ['Hindi', 'हिन्दी में ज़रूरी फ़ाइल हटाओ'],
    ['Bengali', 'বাংলা ভাষায় বড়ো ছোটো'],
    ['Tamil', 'தமிழ் மொழி கொடு'],
    ['Sinhala', 'සිංහල භාෂාවෝ'],
    ['Thai', 'ภาษาไทยน้ำผึ้ง'],
    ['Lao', 'ພາສາລາວ'],
    ['Tibetan', 'བོད་སྐད'],
    ['Burmese', 'မြန်မာဘာသာ'],
    ['Khmer', 'ភាសាខ្មែរ'],
    ['Georgian', 'ქართული ენა'],
    ['Amharic', 'አማርኛ'],
    ['Chinese', '把这个文件删除，然后重启服务。'],
    ['Japanese', 'ガギグゲゴ、パソコンで消す'],
    ['Korean', '한국어 파일을 삭제한다'],
  ])('P9: leaves %s in its usual spelling alone', (_, written) => {
    const text = written.normalize('NFC')
    expect(makeVisible(text)).toEqual({ text, spans: [{ kind: 'text', text }] })
    const other = text.normalize('NFD')
    expect(readBack(shown(other))).toBe(other)
    if (other !== text) expect(shown(other)).toMatch(/⟨U\+/)
  })

  it('P9: what is shown is in the usual spelling, so that no two spellings of a text look the same', () => {
    const part = fc.oneof(
      fc.constantFrom(...'aeqåÅ\u212b\u0301\u0323\u0315\u0307\u0327\u0344\u0340가\u1100\u1161\u11a8한각'),
      fc.constantFrom(
        'क',
        '\u093c',
        '\u0958',
        '\u0bc6',
        '\u0bbe',
        '\u304b',
        '\u3099',
        '\uf900',
        '\ufb31',
        '\u05bc',
      ),
      fc.constantFrom(
        '\u{11099}',
        '\u{110ba}',
        '\u{1d15e}',
        '\u{2f800}',
        '\ud83d',
        ' ',
        '\u200b',
        '=',
        '\u0338',
        '⟨',
      ),
      fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code).normalize('NFD')),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 80 }), (parts) => {
        const text = parts.join('')
        const visible = shown(text)
        expect(visible.normalize('NFC')).toBe(visible)
        expect(readBack(visible)).toBe(text)
        if (text.normalize('NFC') !== text) expect(shown(text.normalize('NFC'))).not.toBe(visible)
      }),
      { numRuns: 3000 },
    )
  })

  it('P9: every character by itself is shown in the usual spelling', () => {
    for (let code = 0; code < 0x30000; code++) {
      const visible = shown(String.fromCodePoint(code))
      if (visible.normalize('NFC') !== visible) throw new Error(`U+${code.toString(16)} is not`)
    }
  })

  it('P9: says what a second form and a part of a syllable are', () => {
    expect(makeVisible('\u212b\u1100\u1161e\u0301').spans.map(({ kind, name }) => [kind, name])).toEqual([
      ['escape', 'unusual spelling'],
      ['text', undefined],
      ['escape', 'part of a syllable'],
      ['text', undefined],
      ['escape', 'combining mark'],
    ])
  })

  it('P9: a long text in an unusual spelling is gone through once', () => {
    expect(shown('\u1100\u1161'.repeat(200_000))).toHaveLength(200_000 * 9)
    expect(shown(`${'x'.repeat(400_000)}e\u0301`)).toMatch(/xe⟨U\+0301⟩$/)
  })

  it('P9: spells out the blanks at the end, and tabs, where that is asked for', () => {
    const end = (text: string): string => makeVisible(text, { lines: 'keep', end: 'mark' }).text
    expect(end('a b')).toBe('a b')
    expect(end('\ta b ')).toBe('\ta b⟨SPACE⟩')
    expect(end('é  \t\t ')).toBe('é⟨SPACE ×2⟩⟨TAB ×2⟩⟨SPACE⟩')
    expect(end('a  \r')).toBe('a⟨SPACE ×2⟩⟨CR⟩')
    expect(end('   ')).toBe('⟨SPACE ×3⟩')
    expect(makeVisible('\ta\n  b', { lines: 'keep', tabs: 'mark' }).text).toBe('⟨TAB⟩a\n  b')
    expect(makeVisible('a ', { end: 'mark' }).spans).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'spelled', text: '⟨SPACE⟩', name: 'space' },
    ])
  })

  it('P9: keeps line breaks and tabs in blocks, but no long run of them', () => {
    expect(block('if x:\n\tpass\n')).toBe('if x:\n\tpass\n')
    expect(block(`a${'\n'.repeat(500)}rm`)).toBe('a⟨LF ×499⟩\nrm')
    expect(block('a\r\nb')).toBe('a⟨CR⟩\nb')
  })

  it('P9: a text can not pretend to contain our notation', () => {
    expect(shown('⟨ESC⟩')).toBe('⟨U+27E8⟩ESC⟩')
    expect(shown('⟨masked: GitHub token, 40 characters⟩')).toMatch(/^⟨U\+27E8⟩masked/)
    for (const bracket of '〈\u2329❬❰⧼') expect(shown(`${bracket}ESC⟩`)).toMatch(/^⟨U\+[0-9A-F]{4}⟩ESC/)
  })

  it('P9: names what it wrote out, and tells hidden characters from ordinary ones', () => {
    expect(makeVisible('a\u202eb\n⟨').spans).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'escape', text: '⟨U+202E RLO⟩', name: 'right-to-left override' },
      { kind: 'text', text: 'b' },
      { kind: 'spelled', text: '⟨LF⟩', name: 'line break' },
      { kind: 'spelled', text: '⟨U+27E8⟩', name: 'bracket' },
    ])
  })

  it('P9: two different texts never look the same', () => {
    fc.assert(
      fc.property(hostileText, fc.constantFrom('keep' as const, 'mark' as const), (text, lines) => {
        expect(readBack(makeVisible(text, { lines }).text)).toBe(text)
      }),
      { numRuns: 3000 },
    )
  })

  it('P9: nothing invisible is left but a line break, a tab and an emoji selector in its place', () => {
    const invisible = /[[\p{C}\p{Z}\p{DI}\u2800]--[\x20\n\t]]/v
    const selectors = /(?<=[\p{Emoji}--\p{Emoji_Presentation}])\ufe0f/gv
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(block(text).replace(selectors, '')).not.toMatch(invisible)
        expect(shown(text)).not.toMatch(/[\n\t]/)
      }),
      { numRuns: 3000 },
    )
  })

  it('P9: the spans say the text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const visible = makeVisible(text)
        expect(visible.spans.map((span) => span.text).join('')).toBe(visible.text)
      }),
    )
  })

  it('P9: every character that is written out has a label of its own', () => {
    const labels = new Map<string, number>()
    const codes = [
      ...Array(0x10000).keys(),
      ...Array.from(Array(0x1000).keys(), (offset) => 0xe0000 + offset),
    ]
    for (const code of codes) {
      const { label } = nameCharacter(code)
      if (labels.has(label)) throw new Error(`${label} is both ${labels.get(label)} and ${code}`)
      if (/[⟨⟩]/.test(label) || / ×\d+$/.test(label)) throw new Error(`${label} breaks the notation`)
      labels.set(label, code)
    }
    expect(labels.size).toBe(codes.length)
  })
})
