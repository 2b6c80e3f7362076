/**
 * Which whole values are secrets (P9). Being wrong in one direction shows a secret to approvers and to the
 * journal; being wrong in the other hides from a person what they approve. The second is worse, so a value
 * counts only when its whole shape is known, and nothing that could be a command, a host, a path or an option
 * is ever covered: spaces, slashes, shell syntax and dots rule a value out.
 *
 * Three shapes have such characters and are exact enough to be told from all else: a JSON Web Token (its third
 * part is longer than any top-level domain), a private key block, and `Bearer` with a token under a key that
 * names authorization. Short or word-like passwords have no shape: they are hidden by their names (`named-secrets.ts`).
 */
import { isSecretName, mayNameSecret } from './secret-names.ts'

export type SecretKind =
  | 'Anthropic key'
  | 'AWS access key'
  | 'bearer token'
  | 'DigitalOcean token'
  | 'GitHub token'
  | 'GitLab token'
  | 'Google key'
  | 'Hugging Face token'
  | 'JSON Web Token'
  | 'npm token'
  | 'private key'
  | 'PyPI token'
  | 'secret key'
  | 'Slack token'
  | 'Stripe key'
  | 'opaque secret'

/** `key` is the name of the member that holds the value, or that holds the list with the value. */
export function secretKindOf(value: string, key: string): SecretKind | undefined {
  // Nearly every value ends here: no shape is shorter, and few begin like one or consist of one opaque word.
  if (value.length < SHORTEST) return undefined
  if (PREFIX.test(value)) {
    const kind = knownShape(value)
    if (kind !== undefined) return isRunOrVisited(key) ? undefined : kind
  }
  if (AUTHORIZATION.test(value)) {
    const token = value.slice(value.indexOf(' ') + 1)
    const isToken = knownShape(token) !== undefined || isOpaque(token)
    return isToken && AUTHORIZATION_KEY.test(key) ? 'bearer token' : undefined
  }
  return OPAQUE.test(value) && (mayNameSecret(key) || isSecretName(key)) && isOpaque(value)
    ? 'opaque secret'
    : undefined
}

const SHORTEST = 12

function knownShape(value: string): SecretKind | undefined {
  return SHAPES.find(([shape]) => shape.test(value))?.[1]
}

/** A value that a tool will run, or go to, is shown whatever its shape. The last word of the key tells. */
export function isRunOrVisited(key: string): boolean {
  const words = key.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()
  return RUN_OR_VISITED.test(words)
}

/**
 * A word that nobody chose for its meaning. Digits and letters of both cases, or a long run of digits and small
 * letters without a hyphen: names of hosts and branches have small letters and hyphens.
 */
function isOpaque(value: string): boolean {
  if (!OPAQUE.test(value)) return false
  if (/[a-z]/.test(value) && /[A-Z]/.test(value) && /[0-9]/.test(value)) return true
  return /^[a-z0-9]{24,}$/.test(value) && /[a-z]/.test(value) && (value.match(/[0-9]/g)?.length ?? 0) >= 4
}

const OPAQUE = /^[A-Za-z0-9_+][A-Za-z0-9_+-]{11,511}={0,2}$/

const PREFIX =
  /^(?:gh[opsur]_|github_pat_|glpat-|[rs]k[-_]|whsec_|A[KS]IA|AIza|GOCSPX-|xox|xapp-|eyJ|npm_|pypi-|hf_|dop_v1_|-----BEGIN )/

const SHAPES: readonly (readonly [shape: RegExp, kind: SecretKind])[] = [
  [/^gh[opsur]_[A-Za-z0-9]{36,251}$/, 'GitHub token'],
  [/^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/, 'GitHub token'],
  [/^glpat-[A-Za-z0-9_-]{20,64}$/, 'GitLab token'],
  [/^sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{40,200}$/, 'Anthropic key'],
  // Many providers copy this prefix. Letters of both cases with digits, or no hyphen, tell a key from words.
  [/^sk-(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[A-Za-z0-9_-]{20,250}$/, 'secret key'],
  [/^sk-(?:or-v1-)?(?=(?:[^0-9]*[0-9]){4})[a-z0-9]{32,64}$/, 'secret key'],
  [/^(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}$/, 'Stripe key'],
  [/^whsec_[A-Za-z0-9]{32,64}$/, 'Stripe key'],
  [/^A[KS]IA[A-Z0-9]{16}$/, 'AWS access key'],
  [/^AIza[A-Za-z0-9_-]{35}$/, 'Google key'],
  [/^GOCSPX-[A-Za-z0-9_-]{28}$/, 'Google key'],
  [/^xox[abeoprs]-(?=[^0-9]*[0-9])[A-Za-z0-9-]{20,250}$/, 'Slack token'],
  [/^xapp-[0-9]-[A-Z0-9]{8,20}-[0-9]{8,20}-[a-f0-9]{32,128}$/, 'Slack token'],
  [/^npm_[A-Za-z0-9]{36}$/, 'npm token'],
  [/^pypi-AgE[A-Za-z0-9_-]{60,250}$/, 'PyPI token'],
  [/^hf_[A-Za-z0-9]{30,40}$/, 'Hugging Face token'],
  [/^dop_v1_[a-f0-9]{64}$/, 'DigitalOcean token'],
  [/^eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{2,16384}\.[A-Za-z0-9_-]{43,2048}$/, 'JSON Web Token'],
  [
    /^-----BEGIN ((?:[A-Z]{2,9} )?PRIVATE KEY)-----\r?\n(?:[A-Za-z0-9+/]{1,76}={0,2}\r?\n){1,400}-----END \1-----(?:\r?\n)?$/,
    'private key',
  ],
]

const AUTHORIZATION = /^(?:[Bb]earer|[Tt]oken) [A-Za-z0-9_\-.]+={0,2}$/
const AUTHORIZATION_KEY = /^(?:proxy-)?authori[sz]ation$/i
const RUN_OR_VISITED =
  /(?:^|[^a-z])(?:command|cmd|script|code|shell|exec|run|program|executable|path|file|filename|folder|dir|directory|cwd|url|uri|host|hostname|address|domain|endpoint|query|sql|package|image|branch)s?$/
