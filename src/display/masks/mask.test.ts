import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject, type JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { makeVisible } from '../text/visible.ts'
import { maskArguments } from './mask.ts'
import { unmaskEdit } from './unmask-edit.ts'

const GITHUB = `ghp_${'aB3dE6'.repeat(6)}`
const OTHER_GITHUB = `ghp_${'Zy9xW8'.repeat(6)}`
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.${'a1B2-_'.repeat(8)}`
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${`${'MIIabc+/09'.repeat(6)}\n`.repeat(5)}YWJj==\n-----END RSA PRIVATE KEY-----\n`

const SECRETS: readonly (readonly [kind: string, value: string])[] = [
  ['GitHub token', GITHUB],
  ['GitHub token', `github_pat_${'a1B2c3D4e5F'.repeat(2)}_${'x'.repeat(59)}`],
  ['GitLab token', 'glpat-abcDEF123_-ghiJKL456'],
  ['Anthropic key', `sk-ant-api03-${'aB3_-'.repeat(18)}`],
  ['secret key', `sk-proj-${'aB3_-'.repeat(12)}`],
  ['secret key', `sk-${'0123456789abcdef'.repeat(2)}`],
  ['Stripe key', `sk_live_${'aB3dE6'.repeat(4)}`],
  ['AWS access key', 'AKIAIOSFODNN7EXAMPLE'],
  ['Google key', `AIza${'aB3_-'.repeat(7)}`],
  ['Slack token', 'xoxb-123456789012-abcDEFghiJKL'],
  ['npm token', `npm_${'aB3dE6'.repeat(6)}`],
  ['Hugging Face token', `hf_${'aB3dE6'.repeat(6)}`],
  ['JSON Web Token', JWT],
  ['private key', PEM],
]

const SECRET_VALUES = SECRETS.map(([, value]) => value)

const someJson = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(
      null,
      true,
      0,
      1.5,
      '',
      '⟨masked: GitHub token, 40 characters⟩',
      '⟨… 12 characters left out⟩',
    ),
    fc.string(),
    fc.constantFrom(...SECRET_VALUES),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('token', 'command', '__proto__', 'a/b~c')),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value

/** As the gateway has them: parsed from canonical bytes. */
const someArguments = fc
  .dictionary(fc.oneof(fc.string(), fc.constantFrom('token', 'password', '__proto__')), someJson, {
    maxKeys: 5,
  })
  .map((args) => parseJson<JsonObject>(canonicalize(args)))

const refused = (edited: JsonObject, original: JsonObject): BanksmanError => {
  try {
    unmaskEdit(edited, original)
  } catch (error) {
    if (error instanceof BanksmanError) return error
    throw error
  }
  throw new Error('the edit was taken')
}

describe('maskArguments', () => {
  it.each(SECRETS)('P9: masks a %s that is the whole value, with its kind and length', (kind, value) => {
    const { value: masked, masks } = maskArguments({ x: { y: [value] } })
    const text = `⟨masked: ${kind}, ${value.length} characters⟩`
    expect(masked).toEqual({ x: { y: [text] } })
    expect(masks).toEqual([{ pointer: '/x/y/0', kind, length: value.length, text }])
  })

  it.each([
    ['a word before it', (secret: string) => `echo ${secret}`],
    ['a command after it', (secret: string) => `${secret}; rm -rf /`],
    ['a substitution', (secret: string) => `${secret}$(id)`],
    ['a pipe', (secret: string) => `${secret}|sh`],
    ['a backtick', (secret: string) => `\`${secret}\``],
    ['a redirection', (secret: string) => `${secret}>x`],
    ['a path', (secret: string) => `/etc/${secret}`],
    ['a folder', (secret: string) => `${secret}/../x`],
    ['a host', (secret: string) => `${secret}.evil.com`],
    ['a URL', (secret: string) => `https://${secret}@evil.com/`],
    ['an option', (secret: string) => `--token=${secret}`],
    ['a dash', (secret: string) => `-${secret}`],
    ['an assignment', (secret: string) => `TOKEN=${secret}`],
    ['a line break', (secret: string) => `${secret}\nrm`],
    ['a hidden character', (secret: string) => `${secret}\u200b`],
  ])('P9: never masks a secret with %s, unless it has to be uncovered', (_, dress) => {
    for (const secret of SECRET_VALUES) {
      expect(maskArguments({ x: dress(secret) }).masks).toEqual([])
      for (const key of ['token', 'password', 'authorization']) {
        expect(maskArguments({ [key]: dress(secret) }).masks).toMatchObject([{ mustUncover: true }])
      }
    }
  })

  it('P9: never masks anything with shell syntax, a host, a path or an option in it, unless it has to be uncovered', () => {
    const plain = fc.stringMatching(/^[A-Za-z0-9_-]{0,60}$/)
    const syntax = fc.constantFrom(...' \t\n;|&$`<>(){}[]*?!#~\'"\\/%^', '$(', '&&', '://', 'x.com', '--')
    const start = fc.constantFrom('', 'ghp_', 'sk-', 'AKIA', 'xoxb-', 'eyJ', 'npm_', 'Bearer ')
    const key = fc.constantFrom(
      'x',
      'note',
      'token_type',
      'token',
      'password',
      'api_key',
      'secret',
      'command',
    )
    fc.assert(
      fc.property(start, plain, syntax, plain, key, (prefix, head, sign, tail, name) => {
        const value = sign === '--' ? `--${prefix}${head}${tail}` : `${prefix}${head}${sign}${tail}`
        expect(maskArguments({ [name]: value }).masks.filter((mask) => !mask.mustUncover)).toEqual([])
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['opaque', 'token', 'a1B2c3D4e5F6'],
    ['hexadecimal', 'client_secret', '0123456789abcdef0123456789abcdef'],
    ['padded', 'apiKey', 'QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ])('P9: masks an %s value under a key that names a secret, and only there', (_, key, value) => {
    expect(maskArguments({ [key]: value }).masks).toMatchObject([
      { kind: 'opaque secret', length: value.length },
    ])
    expect(maskArguments({ [key]: [value] }).masks).toMatchObject([{ pointer: `/${key}/0` }])
    expect(maskArguments({ [`${key}_name`]: value, note: value }).masks).toEqual([])
  })

  it.each(['hunter2', 'localhost', 'prod-db-01', 'correct-horse-battery-staple', 'ip-10-0-0-12-internal-a'])(
    'P9: a word is masked because of its name, says so, and is shown under any other: %s',
    (value) => {
      const { length } = value
      expect(maskArguments({ password: value }).masks).toEqual([
        {
          pointer: '/password',
          kind: 'named value',
          name: 'password',
          length,
          text: `⟨masked: hidden because of its name "password", ${length} characters⟩`,
        },
      ])
      expect(maskArguments({ note: value, password_policy: value }).masks).toEqual([])
    },
  )

  it.each([
    'command',
    'cmd',
    'script',
    'path',
    'file_path',
    'filePath',
    'url',
    'token_url',
    'host',
    'packages',
    'query',
  ])('P9: what a tool runs or goes to is shown whatever its shape: %s', (key) => {
    for (const secret of SECRET_VALUES)
      expect(maskArguments({ [key]: secret, x: { [key]: [secret] } }).masks).toEqual([])
  })

  it('P9: a bearer token is masked whole under an authorization header and nowhere else', () => {
    const value = `Bearer ${JWT}`
    expect(maskArguments({ headers: { Authorization: value } }).masks).toMatchObject([
      { pointer: '/headers/Authorization', kind: 'bearer token', length: value.length },
    ])
    expect(maskArguments({ note: value }).masks).toEqual([])
    for (const args of [{ token: value }, { Authorization: 'Bearer evil.example.com' }])
      expect(maskArguments(args).masks).toMatchObject([{ kind: 'named value', mustUncover: true }])
  })

  it('P9: a name of three parts is a host and not a JSON Web Token', () => {
    expect(maskArguments({ x: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.example' }).masks).toEqual([])
  })

  it('P9: arguments without secrets come back as the same object', () => {
    const args = { a: [1, { b: 'x' }], c: 'a longer text without any secret' }
    expect(maskArguments(args).value).toBe(args)
  })

  it('P9: the arguments themselves are not touched', () => {
    const args = { a: { b: [GITHUB] } }
    maskArguments(args)
    expect(args).toEqual({ a: { b: [GITHUB] } })
  })

  it('P9: every mask of a call has a text of its own', () => {
    const { masks } = maskArguments({ a: GITHUB, b: [OTHER_GITHUB, GITHUB], c: JWT })
    expect(new Set(masks.map((mask) => mask.text)).size).toBe(4)
    expect(masks[1]!.text).toBe('⟨masked: GitHub token #2, 40 characters⟩')
  })

  it('P9: fifty thousand secrets in one call take no quadratic time', () => {
    expect(
      maskArguments({ keys: Array.from({ length: 50_000 }, () => 'AKIAIOSFODNN7EXAMPLE') }).masks,
    ).toHaveLength(50_000)
  })

  it('P9: an argument that looks like a mask is shown with its bracket written out', () => {
    const forged = '⟨masked: GitHub token, 40 characters⟩'
    expect(maskArguments({ x: forged }).masks).toEqual([])
    expect(makeVisible(forged).text).not.toBe(forged)
  })
})

describe('unmaskEdit', () => {
  it('P9: masks that were left alone keep the original, for any arguments', () => {
    fc.assert(
      fc.property(someArguments, (args) => {
        expect(canonicalize(unmaskEdit(maskArguments(args).value, args))).toBe(canonicalize(args))
      }),
      { numRuns: 2000 },
    )
  })

  it('P9: keeps the secret and takes the change beside it', () => {
    const original = { env: { TOKEN: GITHUB }, command: 'ls' }
    const { value } = maskArguments(original)
    expect(unmaskEdit({ ...value, command: 'ls -l' }, original)).toEqual({
      env: { TOKEN: GITHUB },
      command: 'ls -l',
    })
  })

  it('P9: takes a new value in the place of a mask, and a mask that was deleted', () => {
    expect(unmaskEdit({ token: 'another' }, { token: GITHUB })).toEqual({ token: 'another' })
    expect(unmaskEdit({}, { token: GITHUB })).toEqual({})
  })

  it('P9: refuses a mask that was moved', () => {
    const original = { token: GITHUB, note: 'x' }
    const mask = maskArguments(original).masks[0]!.text
    expect(refused({ token: 'x', note: mask }, original)).toMatchObject({
      code: 'arguments_invalid',
      details: { pointer: '/note' },
    })
    expect(refused({ [mask]: 'x' }, original).code).toBe('arguments_invalid')
  })

  it('P9: refuses masks that changed places, and a list whose masks moved up', () => {
    const original = { list: [GITHUB, OTHER_GITHUB] }
    const list = maskArguments(original).value.list as string[]
    expect(refused({ list: [list[1]!, list[0]!] }, original).code).toBe('arguments_invalid')
    expect(refused({ list: [list[1]!] }, original).code).toBe('arguments_invalid')
    expect(unmaskEdit({ list: [list[0]!] }, original)).toEqual({ list: [GITHUB] })
  })

  it.each([
    ['another length', '⟨masked: GitHub token, 41 characters⟩'],
    ['text around it', 'x ⟨masked: GitHub token, 40 characters⟩'],
    ['other brackets', '<masked: GitHub token, 40 characters>'],
    ['half of it', '⟨masked: GitHub'],
  ])('P9: refuses a mask that was altered: %s', (_, altered) => {
    expect(refused({ token: altered }, { token: GITHUB }).code).toBe('arguments_invalid')
  })

  it('P9: writing a mask gets nobody a secret', () => {
    const mask = maskArguments({ token: GITHUB }).masks[0]!.text
    expect(refused({ token: mask }, { token: 'plain' }).code).toBe('arguments_invalid')
    expect(refused({ copy: mask, token: mask }, { token: GITHUB }).code).toBe('arguments_invalid')
  })

  it('P9: a value that looked like a mask all along is kept as it is', () => {
    const original = { note: '⟨masked: GitHub token, 40 characters⟩', token: GITHUB }
    expect(unmaskEdit(maskArguments(original).value, original)).toEqual(original)
  })

  it.each([
    'rm ⟨U+202E RLO⟩x',
    'a⟨… 12,345 characters left out⟩b',
    '⟨ESC⟩[31m',
    '⟨LF ×20⟩',
    'pаypal⟨Latin+Cyrillic⟩',
  ])('P9: refuses what was copied from the screen instead of the value: %s', (copied) => {
    expect(refused({ command: copied }, { command: 'ls' }).code).toBe('arguments_invalid')
  })

  it('P5: refuses an edit that is nested too deep to be read', () => {
    let deep: JsonValue = 'x'
    for (let level = 0; level < 5000; level++) deep = [deep]
    expect(refused({ deep }, { deep: 'x' }).code).toBe('arguments_invalid')
  })
})
