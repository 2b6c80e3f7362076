import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSecretName } from './secret-names.ts'

const HOLDING = [
  ['password'],
  ['passwd'],
  ['passphrase'],
  ['secret'],
  ['token'],
  ['api', 'key'],
  ['authorization'],
  ['cookie'],
  ['set', 'cookie'],
  ['private', 'key'],
  ['secret', 'access', 'key'],
  ['client', 'secret'],
  ['access', 'token'],
  ['refresh', 'token'],
  ['credential'],
  ['credentials'],
]

/** Words that leave what follows a secret. */
const BEFORE = [
  [],
  ['db'],
  ['github'],
  ['stripe'],
  ['x'],
  ['my', 'app'],
  ['admin'],
  ['proxy'],
  ['openai'],
  ['old'],
]

/** Words that make of it something else. */
const BEHIND = [
  'policy',
  'name',
  'type',
  'count',
  'url',
  'id',
  'length',
  'field',
  'hint',
  'consent',
  'file',
  'expiry',
]

const SPELLINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('-').toUpperCase(),
  (words) => words.map(capital).join(''),
  (words) => words.map(capital).join('-'),
  (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  (words) => `_${words.join('_')}`,
  (words) => `${words.slice(0, -1).join('.')}[${words.at(-1)}]`,
]

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const holding = fc.tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...HOLDING)).map((parts) => parts.flat())
const spelling = fc.constantFrom(...SPELLINGS)

describe('P9: a name of a secret', () => {
  it('counts in every usual spelling, with any word before it', () => {
    fc.assert(fc.property(holding, spelling, (words, spell) => isSecretName(spell(words))))
  })

  it('counts no more with a word behind it that makes it something else', () => {
    fc.assert(
      fc.property(holding, fc.constantFrom(...BEHIND), spelling, (words, behind, spell) => {
        return !isSecretName(spell([...words, behind]))
      }),
    )
  })

  it('counts only as a whole word', () => {
    // With some of these it is another name of a secret: `secretkey`, `bearertoken`.
    const letters = fc.stringMatching(/^[b-z]{1,6}$/).filter((word) => !/^(?:key|token)?s?$/.test(word))
    fc.assert(
      fc.property(holding, letters, (words, tail) => {
        const last = words.at(-1)!
        fc.pre(!['key'].includes(last))
        return !isSecretName([...words.slice(0, -1), `${last}${tail}`].join('_'))
      }),
      {
        examples: [
          [['token'], 'izer'],
          [['password'], 'less'],
          [['secret'], 'ary'],
        ],
      },
    )
  })

  it.each(
    'apikey APIKey XApiKey x-api-key X-API-Key API-KEY OPENAI_API_KEY apiKey2 PGPASSWORD DB_PASS MYSQL_PWD smtp_pass githubToken stripeSecretKey aws_secret_access_key SecretString secret_value passwordConfirmation confirm_password new-password Proxy-Authorization authorization_header session_cookie cookies access_tokens spring.datasource.password user[password] PassWord pass_phrase bearer _authToken'.split(
      ' ',
    ),
  )('is %s', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each(
    'max_tokens maxTokens tokens total_tokens stop_tokens tokenizer token_count next_page_token nextPageToken pageToken NextToken continuation_token eos_token client_token password_policy passwordless secret_name secretName token_type cookie_consent author authority authorization_url authorizationUrl authorized auth oauth key primary_key public_key idempotency_key cache_key s3_key access_key_id keyboard monkey pwd pass compass bypass first_pass secretary require_password has_token is_secret no_password use_cookie passengers bearing'.split(
      ' ',
    ),
  )('is not %s', (name) => {
    expect(isSecretName(name)).toBe(false)
  })

  it('is pass and pwd beside the name of a user', () => {
    expect(isSecretName('pass', ['user', 'pass'])).toBe(true)
    expect(isSecretName('pwd', ['username', 'pwd'])).toBe(true)
    expect(isSecretName('pwd', ['command', 'pwd'])).toBe(false)
  })
})
