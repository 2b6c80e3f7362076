import { describe, expect, it } from 'vitest'
import { makeVisible } from './visible.ts'

const marks = (text: string): string[] =>
  makeVisible(text)
    .spans.filter((span) => span.kind === 'mixed-script')
    .map((span) => span.text)

describe('words that are not what they look like', () => {
  it.each([
    ['Latin with Cyrillic', 'curl https://p\u0430ypal.com', ['p\u0430ypal⟨Latin+Cyrillic⟩']],
    ['Latin with Greek', 'g\u03bfogle', ['g\u03bfogle⟨Latin+Greek⟩']],
    ['Latin with Armenian', 'g\u0585ogle', ['g\u0585ogle⟨Latin+Armenian⟩']],
    ['Cyrillic with Latin', '\u0441url', ['\u0441url⟨Cyrillic+Latin⟩']],
    ['three scripts', 'a\u0430\u03b1', ['a\u0430\u03b1⟨Latin+Cyrillic+Greek⟩']],
    ['a script that is not listed', 'a\u{10900}', ['a\u{10900}⟨Latin+Other⟩']],
    ['fullwidth letters', 'ｒｍ -rf', ['ｒｍ⟨fullwidth⟩']],
    ['mathematical letters', '𝐜𝐮𝐫𝐥 x', ['𝐜𝐮𝐫𝐥⟨styled⟩']],
    ['the script l and the long s', '\u2113s ba\u017fh', ['\u2113s⟨styled⟩', 'ba\u017fh⟨styled⟩']],
    ['a ligature', 'ﬁle', ['ﬁle⟨styled⟩']],
    ['phonetic letters', 'ɡithub', ['ɡithub⟨phonetic⟩']],
    ['digits of two systems', '1৪', ['1৪⟨mixed digits⟩']],
    [
      'a host whose ending is Cyrillic throughout',
      'paypal.\u0441\u043e\u043c',
      ['\u0441\u043e\u043c⟨all Cyrillic⟩'],
    ],
    ['a command that is Cyrillic throughout', 'cat \u0441\u043e\u0440', ['\u0441\u043e\u0440⟨all Cyrillic⟩']],
    ['Cherokee capitals', 'run ᎪᏚ', ['ᎪᏚ⟨all Cherokee⟩']],
    ['a slash that is none', 'github.com∕evil.org', ['∕⟨looks like /⟩']],
    ['a katakana letter for a slash', 'github.comノevil', ['ノ⟨looks like /⟩']],
    ['an ideographic full stop for a dot', 'github。com', ['。⟨looks like .⟩']],
    ['a hyphen that is none', 'x\u2011y', ['\u2011⟨looks like -⟩']],
  ])('P9: marks %s', (_, text, expected) => {
    expect(marks(text)).toEqual(expected)
  })

  it.each([
    ['Chinese', '把这个文件删除，然后重启服务。'],
    [
      'Chinese with Latin words and punctuation',
      '使用git提交，运行npm test。注意Note：see README；好吗？1～3次',
    ],
    ['Chinese with Greek or Cyrillic in it', '角度θ为30，俄语привет的意思'],
    ['Japanese', 'Tシャツをカートに入れる'],
    ['Korean', 'git을 사용한다'],
    ['Russian', 'Удалить файл, а потом сор'],
    ['Russian next to Latin', 'удалить file.txt и сор'],
    ['a Cyrillic folder in a path', '/home/иван/docs'],
    ['Greek', 'γειά σου Κόσμε'],
    ['one Greek letter in a formula', 'v = \u03bd * 2'],
    ['Vietnamese', 'Nguyễn Đặng Thị'],
    ['superscripts and units', '5 m² at 20 °C, 3 µs'],
    ['dashes and typographic quotes', '“a – b” — 2010–2015'],
  ])('P9: does not mark %s', (_, text) => {
    expect(marks(text)).toEqual([])
  })

  it('P9: genuine words elsewhere do not excuse a forged host', () => {
    expect(marks('# привет, мир\ncurl paypal.\u0441\u043e\u043c')).toEqual([
      '\u0441\u043e\u043c⟨all Cyrillic⟩',
    ])
  })

  it('P9: a long name without spaces is judged in bounded time', () => {
    expect(marks('\u0441\u043e.'.repeat(100_000)).length).toBe(0)
    expect(marks(`${'\u0441\u043e.'.repeat(50_000)}com`).length).toBeGreaterThan(0)
  })
})
