/**
 * Which names say that their value is a secret (P9). A name is read word by word, whatever its spelling (`api_key`,
 * `apiKey`, `X-API-Key`, `db.password`), and its last words tell: `password` and `DB_PASSWORD` hold one, `password_policy`
 * and `token_type` speak of one. A word counts whole, so `tokenizer` and `max_tokens` are no secrets.
 */

/** Words that hold a secret by themselves, alone or two written as one (`api` and `key`). */
const SECRETS = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'bearer',
  'jwt',
  'authorization',
  'authorisation',
  'cookie',
  'credential',
  ...[
    'api',
    'access',
    'private',
    'secret',
    'signing',
    'encryption',
    'decryption',
    'auth',
    'master',
    'hmac',
  ].map((kind) => `${kind}key`),
  'subscriptionkey',
  ...['access', 'refresh', 'auth', 'api', 'bearer', 'session', 'id'].map((kind) => `${kind}token`),
  'clientsecret',
  ...['db', 'pg', 'user', 'root', 'admin', 'new', 'old'].map((kind) => `${kind}password`),
  'sshpass',
])

/** Short words that mean something else as often: they count behind one of these, or beside the name of a user. */
const SHORT = new Set(['pass', 'pwd'])
const OF_SHORT = new Set(
  'admin app auth basic broker database db dba email ftp http imap key keystore ldap login mail mongo mongodb my mysql oracle pg postgres postgresql proxy rabbitmq redis registry root service smtp sql ssh sudo user vpn wifi'.split(
    ' ',
  ),
)
const USERS = /^(?:user|username|user_?name|login|email|account)$/i

/** Many are none: `max_tokens`, `stop_tokens`. These are. */
const OF_TOKENS = new Set(['access', 'refresh', 'auth', 'api', 'bearer', 'session', 'secret', 'id', 'device'])

/** What a token is called that marks a place in a list, a text or a vocabulary. */
const NO_SECRET_TOKENS = new Set(
  'page next previous prev continuation continue cursor pagination paging sync resume start stop end begin first last pad eos bos unk cls sep special delimiter separator prefix suffix cancel cancellation idempotency client max min num text image'.split(
    ' ',
  ),
)

/** `require_password`, `max_token`: whether and how many, not which. */
const ABOUT = new Set(
  'require requires required needs need has is use uses show hide ask no skip allow allows disable disabled without max min num count total forgot supports'.split(
    ' ',
  ),
)

/** What may stand behind the word that counts: `secret_value`, `passwordConfirmation`, `auth_header`. */
const BEHIND = new Set(
  'value string plaintext header confirm confirmation again repeat new old current'.split(' '),
)

const LONGEST = 200

/** `siblings` are the names beside it. */
export function isSecretName(name: string, siblings: readonly string[] = []): boolean {
  // Nearly every name ends here.
  if (!CANDIDATE.test(name) || name.length > LONGEST) return false
  const words = wordsOf(name)
  while (words.length > 1 && isBehind(words.at(-1)!)) words.pop()
  const last = words.at(-1)
  if (last === undefined || ABOUT.has(words[0]!)) return false
  const before = words.at(-2) ?? ''
  if (SHORT.has(last)) {
    return OF_SHORT.has(before) || (before === '' && siblings.some((sibling) => USERS.test(sibling)))
  }
  if (last === 'tokens') return OF_TOKENS.has(before)
  const one = singular(last)
  if (one === 'token') return !NO_SECRET_TOKENS.has(before)
  return SECRETS.has(one) || SECRETS.has(before + one)
}

/** A name for all that is inside: `cookies`, `secrets`. Credentials have a user's name among them. */
export function isNameOfSecrets(name: string): boolean {
  const last = wordsOf(name).at(-1)
  return last?.endsWith('s') === true && last !== 'credentials' && isSecretName(name)
}

/**
 * A name that may be one of a secret: enough for a value that nobody chose for its meaning. It need not be written in words
 * (`githubtoken`), and of `tokens` there may be several.
 */
export function mayNameSecret(name: string): boolean {
  if (!MAYBE.test(name)) return false
  const words = wordsOf(name)
  return singular(words.at(-1) ?? '') !== 'token' || !NO_SECRET_TOKENS.has(words.at(-2) ?? '')
}

const MAYBE =
  /(?:password|passwd|passphrase|secret|token|credentials?|api[-_]?key|access[-_]?key|private[-_]?key|signing[-_]?key|encryption[-_]?key|authori[sz]ation|bearer)s?$/i

const CANDIDATE = /pass|pwd|secret|token|key|authori|cookie|credential|bearer|jwt/i

function isBehind(word: string): boolean {
  return BEHIND.has(word) || /^[0-9]+$/.test(word)
}

function singular(word: string): string {
  return word.endsWith('s') && word !== 'pass' ? word.slice(0, -1) : word
}

/** `APIKey` is `api key`, `DB_PASSWORD` is `db password`, `oauth2Token` is `oauth 2 token`. */
function wordsOf(name: string): string[] {
  const words: string[] = []
  let start = 0
  let before: CharacterKind = 'other'
  for (let at = 0; at <= name.length; at++) {
    const kind = kindAt(name, at)
    const goesOn =
      kind === before
        ? kind !== 'upper' || kindAt(name, at + 1) !== 'lower'
        : kind === 'lower' && before === 'upper'
    if (!goesOn) {
      if (before !== 'other') words.push(name.slice(start, at).toLowerCase())
      start = at
    }
    before = kind
  }
  return words
}

type CharacterKind = 'lower' | 'upper' | 'digit' | 'other'

function kindAt(text: string, at: number): CharacterKind {
  const code = text.charCodeAt(at)
  if (code >= 0x61 && code <= 0x7a) return 'lower'
  if (code >= 0x41 && code <= 0x5a) return 'upper'
  return code >= 0x30 && code <= 0x39 ? 'digit' : 'other'
}
