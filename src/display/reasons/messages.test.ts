import { describe, expect, it } from 'vitest'
import { ENGLISH, type ReasonCode } from '../../core/reasons/english.ts'
import { placesOf } from '../../core/reasons/fill-message.ts'
import type { Reason, ReasonValue } from '../../core/reasons/reason.ts'
import { CHINESE } from './chinese.ts'
import { sayKnown, sayReason } from './say-reason.ts'
import { showReason } from './show-reason.ts'

/** Every language besides English. */
const LANGUAGES = { zh: CHINESE } as const

const codes = Object.keys(ENGLISH) as ReasonCode[]

function filledIn(code: ReasonCode): Reason {
  return { code, values: Object.fromEntries(placesOf(ENGLISH[code]).map((name) => [name, `«${name}»`])) }
}

describe.each(Object.entries(LANGUAGES))('the messages of %s', (locale, messages) => {
  it('are there for every code, and for no other', () => {
    expect(
      codes.filter((code) => !(code in messages)),
      'missing',
    ).toEqual([])
    expect(
      Object.keys(messages).filter((code) => !(code in ENGLISH)),
      'surplus',
    ).toEqual([])
  })

  it('have the places of the English ones', () => {
    const places = (message: string) => [...new Set(placesOf(message))].sort()
    const differing = codes.filter(
      (code) => JSON.stringify(places(messages[code])) !== JSON.stringify(places(ENGLISH[code])),
    )
    expect(differing).toEqual([])
  })

  it('quote where the English ones do', () => {
    const quoted = (message: string) => [...message.matchAll(/`\{(\w+)\}`/g)].map(([, name]) => name).sort()
    expect(codes.filter((code) => String(quoted(messages[code])) !== String(quoted(ENGLISH[code])))).toEqual(
      [],
    )
  })

  it('say every value', () => {
    for (const code of codes) {
      const reason = filledIn(code)
      const said = sayKnown(reason, locale as keyof typeof LANGUAGES) ?? ''
      for (const value of Object.values(reason.values ?? {})) expect(said, code).toContain(value)
    }
  })
})

describe('a reason', () => {
  const ask = (what: ReasonValue): Reason => ({
    code: 'ask',
    values: { why: { code: 'why.unlisted', values: { what } } },
  })

  it('is said in the language of the reader', () => {
    const told = { because: 'as it was', reason: ask('git push') }
    expect(sayReason(told, 'en')).toBe("Needs approval: `git push` isn't on the allow list.")
    expect(sayReason(told, 'zh')).toBe('需要审批：`git push` 不在允许名单中。')
  })

  it('puts a space between Chinese and other letters where a value begins or ends', () => {
    const said = (host: string) => sayKnown({ code: 'reach.host', values: { host } }, 'zh')
    expect(said('a.example')).toBe('它会连接 a.example')
    expect(said('主机')).toBe('它会连接 主机')
    const folder = (place: ReasonValue) => sayKnown({ code: 'own.may-be-folder', values: { place } }, 'zh')
    expect(folder({ code: 'own.place', values: { path: '/srv' } })).toBe('工作目录可能在 `/srv` 中')
    expect(folder({ code: 'own.open-file' })).toBe('工作目录可能在服务器打开着的文件中')
  })

  it('joins lists as the language does', () => {
    const steered = { code: 'ask', values: { why: [ask('a'), ask('b')] } }
    expect(sayKnown(steered, 'zh')).toContain('。；需要审批')
    const options = { code: 'program.needs-option', values: { options: ['--a', '--b'] } }
    expect(sayKnown(options, 'en')).toBe('only known to be read-only with `--a`, `--b`')
    expect(sayKnown(options, 'zh')).toBe('带上 `--a`、`--b` 才能确认是只读操作')
  })

  it('P9: shows every text as it is told to, in every language and at any depth', () => {
    const told = { because: 'x', reason: ask('git \u202epush') }
    for (const locale of ['en', 'zh'] as const) {
      expect(sayReason(told, locale)).toContain('⟨U+202E')
      expect(sayReason(told, locale, () => 'hidden')).toContain('`hidden`')
    }
    expect(showReason({ ...told.reason, code: 'a\u202e' }, (text) => text.replace('\u202e', '!'))).toEqual({
      code: 'a!',
      values: { why: { code: 'why.unlisted', values: { what: 'git !push' } } },
    })
  })

  it('P9: a value is never read as a pattern, nor does it end its quotation', () => {
    expect(sayKnown(ask('{what} {why} $1'), 'en')).toBe(
      "Needs approval: `{what} {why} $1` isn't on the allow list.",
    )
    expect(sayKnown(ask('a`b``c'), 'en')).toBe("Needs approval: ``` a`b``c ``` isn't on the allow list.")
  })

  it('shows the sentence on the record where its code is not known, or a value is missing', () => {
    const because = 'from a newer\u202e server'
    const shown = 'from a newer⟨U+202E RLO⟩ server'
    for (const reason of [
      { code: 'of.tomorrow' },
      { code: 'ask', values: { why: { code: 'of.tomorrow' } } },
      { code: 'ask' },
      { code: 'toString' },
      { code: 'ask', values: { why: nested(50) } },
    ])
      expect(sayReason({ because, reason }, 'zh'), JSON.stringify(reason)).toContain('from a newer⟨')
    expect(sayReason({ because }, 'en')).toContain(shown.slice(0, 14))
  })
})

function nested(depth: number): Reason {
  return depth === 0 ? { code: 'unknown.word' } : { code: 'ask', values: { why: nested(depth - 1) } }
}
