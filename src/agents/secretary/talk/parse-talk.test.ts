import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../../test/fixtures/property-runs.ts'
import { SESSION_MODE_NAMES } from '../../../core/secretary.ts'
import { parseTalk } from './parse-talk.ts'

const talk = (text: string) => parseTalk(text, '//')
const started = (folder: string, more: object = {}) => ({
  kind: 'command',
  command: { name: 'new', folder, ...more },
})

describe('what people write to the bot', () => {
  it.each([
    ['//new shop', started('shop')],
    ['//n shop', started('shop')],
    ['//NEW shop', started('shop')],
    ['／／new shop', started('shop')],
    ['//new shop fix the test', started('shop', { text: 'fix the test' })],
    ['//new shop  fix\n  the   test ', started('shop', { text: 'fix\n  the   test' })],
    ['//new "my shop" fix it', started('my shop', { text: 'fix it' })],
    ['//new “my shop” fix it', started('my shop', { text: 'fix it' })],
    ['//new 「my shop」 修好它', started('my shop', { text: '修好它' })],
    ["//new 'my shop' don't stop", started('my shop', { text: "don't stop" })],
    ['//new my\\ shop fix it', started('my shop', { text: 'fix it' })],
    ['//new C:\\work\\shop', started('C:\\work\\shop')],
    ['//new shop --mode plan', started('shop', { mode: 'plan' })],
    ['//new --mode plan shop', started('shop', { mode: 'plan' })],
    ['//new shop --mode=edit fix it', started('shop', { mode: 'acceptEdits', text: 'fix it' })],
    ['//new shop —mode bypass fix', started('shop', { mode: 'bypassPermissions', text: 'fix' })],
    ['//new shop fix --mode dontask it', started('shop', { mode: 'dontAsk', text: 'fix it' })],
    ['//new shop "vite build --mode production"', started('shop', { text: 'vite build --mode production' })],
    ['//new shop run "build --mode x" twice', started('shop', { text: 'run "build --mode x" twice' })],
    ['//new shop -- vite --mode production', started('shop', { text: 'vite --mode production' })],
    ['//new -- --mode', started('--mode')],
    ['//new shop say "hi"', started('shop', { text: 'say "hi"' })],
    ['//list', { kind: 'command', command: { name: 'list' } }],
    ['//ls', { kind: 'command', command: { name: 'list' } }],
    ['//l', { kind: 'command', command: { name: 'list' } }],
    ['//status', { kind: 'command', command: { name: 'list' } }],
    ['//c', { kind: 'command', command: { name: 'close' } }],
    ['//stop ses_1', { kind: 'command', command: { name: 'stop', session: 'ses_1' } }],
    ['//switch "my shop"', { kind: 'command', command: { name: 'switch', session: 'my shop' } }],
    ['//mode Plan', { kind: 'command', command: { name: 'mode', mode: 'plan' } }],
    ['//mode edit', { kind: 'command', command: { name: 'mode', mode: 'acceptEdits' } }],
    ['//', { kind: 'command', command: { name: 'help' } }],
    ['// a comment', { kind: 'words', text: '// a comment' }],
    ['/new shop', { kind: 'words', text: '/new shop' }],
    ['how far is it?', { kind: 'words', text: 'how far is it?' }],
  ])('%s', (text, read) => {
    expect(talk(text)).toEqual(read)
  })

  it.each([
    ['//nwe shop', { what: 'command', written: 'nwe', meant: 'new' }],
    ['//progres', { what: 'command', written: 'progres', meant: 'progress' }],
    ['//deploy', { what: 'command', written: 'deploy', meant: undefined }],
    ['//constructor', { what: 'command', written: 'constructor', meant: undefined }],
    ['//new', { what: 'folder' }],
    ['//new --mode plan', { what: 'folder' }],
    ['//new "my shop', { what: 'quote', written: '"my' }],
    ['//new shop --mode', { what: 'mode' }],
    ['//new shop --mode auto', { what: 'auto' }],
    ['//new shop --mode plan --mode plan', { what: 'two_modes' }],
    ['//new shop build --mode production', { what: 'unknown_mode', written: 'production', meant: undefined }],
    ['//mode', { what: 'mode' }],
    ['//mode auto', { what: 'auto' }],
    ['//mode bypas', { what: 'unknown_mode', written: 'bypas', meant: 'bypass' }],
    ['//mode plan now', { what: 'too_much', name: 'mode', written: 'now' }],
    ['//switch', { what: 'session' }],
    ['//list all', { what: 'too_much', name: 'list', written: 'all' }],
  ])('a command that is none: %s', (text, mistake) => {
    expect(talk(text)).toEqual({ kind: 'mistake', mistake })
  })

  it('the prefix can be another', () => {
    expect(parseTalk('!new shop', '!')).toEqual(started('shop'))
    expect(parseTalk('//new shop', '!')).toEqual({ kind: 'words', text: '//new shop' })
  })

  const folder = fc.stringMatching(/^[a-z~./][a-z0-9 ./_-]{0,30}[a-z0-9]$/)
  const message = fc
    .array(fc.constantFrom('fix', 'the', "don't", 'say', '"hi"', '--mode', '修好', '\n', '-', "'tis"), {
      minLength: 1,
      maxLength: 12,
    })
    .map((words) => words.join(' ').trim())
    .filter((text) => text !== '')
  const mode = fc.option(fc.constantFrom(...SESSION_MODE_NAMES), { nil: undefined })

  it('a folder in quotes, a mode and a message behind -- come out as they were written', () => {
    fc.assert(
      fc.property(folder, message, mode, (path, text, chosen) => {
        const option = chosen === undefined ? '' : ` --mode ${chosen}`
        const whole = /^["'].*["']$/su.test(text)
        fc.pre(!whole)
        expect(talk(`//new "${path}"${option} -- ${text}`)).toEqual(
          started(path, { text, ...(chosen === undefined ? {} : { mode: chosen }) }),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  it('a mode that stands anywhere between plain words takes nothing else away', () => {
    const plain = fc.array(fc.stringMatching(/^[a-z0-9.,!]{1,8}$/), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(folder, plain, fc.nat(), mode, (path, words, place, chosen) => {
        const at = place % (words.length + 1)
        const option = chosen === undefined ? [] : ['--mode', chosen]
        const line = [...words.slice(0, at), ...option, ...words.slice(at)].join(' ')
        expect(talk(`//new '${path}' ${line}`)).toEqual(
          started(path, { text: words.join(' '), ...(chosen === undefined ? {} : { mode: chosen }) }),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  it('no text whatever throws, and words come out as they went in', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.constantFrom('', '//', '//new '),
        (text, start) => {
          const read = talk(`${start}${text}`)
          if (read.kind === 'words') expect(read.text).toBe(`${start}${text}`.trim())
        },
      ),
      { numRuns: runs(300) },
    )
  })
})
