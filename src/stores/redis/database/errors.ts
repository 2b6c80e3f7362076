/** What Redis and its client say when something is wrong, in our words, and never with the password of the URL. */
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../../core/errors.ts'
import { SCHEMA } from '../scripts/pieces/script.ts'

/** A shorter password is found in ordinary words too, and covering it there would tell it. */
const SHORTEST_COVERED = 4

/** Takes the password out of a text. */
export type Redact = (text: string) => string

export function createRedact(url: string): Redact {
  const secrets = new Set<string>()
  // By hand: a URL that can't be parsed may hold a password too.
  const between = /^(?:[a-z]+:\/\/)?(.*)@/is.exec(url)?.[1]
  const password = between === undefined ? undefined : between.slice(between.indexOf(':') + 1)
  for (const secret of [password, decoded(password)]) {
    if (secret !== undefined && secret !== '') secrets.add(secret)
  }
  return (text) => {
    let safe = url === '' ? text : text.replaceAll(url, shownUrl(url))
    for (const secret of secrets) {
      safe = safe.replaceAll(`:${secret}@`, ':***@')
      if (secret.length >= SHORTEST_COVERED) safe = safe.replaceAll(secret, '***')
    }
    return safe
  }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The URL as it may be shown: without user and password, and without what the client does not read. */
export function shownUrl(url: string): string {
  return url.replace(/^([a-z]+:\/\/)?.*@/is, '$1').replace(/[?#].*$/s, '')
}

/** Where loss is accepted: in the file of the server, and in a program. */
export const MAY_LOSE = '`redis: { mayLose: true }` in banksman.yaml (`mayLose: true` for openRedisStore)'

/** The reply of Redis begins with a word that says what kind of error it is. */
const MEANING: Record<string, [ErrorCode, string]> = {
  OOM: ['store_full', 'Redis has reached its maxmemory; raise it, or free some, and it goes on by itself'],
  READONLY: ['store_unavailable', 'the server has become a replica; name the primary'],
  LOADING: ['store_unavailable', 'Redis is still reading its data from disk'],
  BUSY: ['store_unavailable', 'Redis is held up by a script'],
  MASTERDOWN: ['store_unavailable', 'the server is a replica without its primary'],
  CLUSTERDOWN: ['store_unavailable', 'the cluster is down'],
  MOVED: [
    'store_unavailable',
    'the namespace lives on another node of the cluster now; it is looked for there',
  ],
  ASK: ['store_unavailable', 'the namespace is being moved to another node of the cluster'],
  TRYAGAIN: ['store_unavailable', 'the namespace is being moved to another node of the cluster'],
  NOAUTH: ['invalid_configuration', 'Redis asks for a password; put user and password into the URL'],
  WRONGPASS: [
    'invalid_configuration',
    'Redis does not know this user and password; check both in the URL, percent-encoded as they must be there',
  ],
  NOPERM: [
    'invalid_configuration',
    'Redis does not permit this user what the store needs: the keys and the channel under its prefix, EVAL, EVALSHA and SCRIPT LOAD, INFO, and SUBSCRIBE',
  ],
  WRONGTYPE: ['store_corrupt', 'a key is not what we made it; something else writes under our prefix'],
}

/** @param moment An open store tries again by itself; one that is being opened is not there, and somebody has to look. */
export function toStoreError(
  error: unknown,
  doing: string,
  redact: Redact,
  moment: 'opening' | 'open' = 'open',
): BanksmanError {
  if (isBanksmanError(error)) return error
  const message = redact(textOf(error))
  if (message.startsWith('BANKSMAN ')) return ownError(withoutPlace(message), doing)
  const [code, hint] = meaningOf(message, moment)
  return new BanksmanError(code, `${doing} failed: ${hint} (${withoutPlace(message)})`)
}

/** Why there is no connection, for lines that say themselves what was being done. */
export function shortReason(error: unknown, redact: Redact): string {
  // Of our own the first part says what is wrong, and the rest what may be done: whoever opens the store reads all of it.
  if (isBanksmanError(error)) return /^.*?(?=[:.] |$)/s.exec(error.message)?.[0] ?? error.message
  return withoutPlace(redact(textOf(error)))
}

/** Of a host with several numbers the error has no text, only those of each. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  return error.message || (typeof code === 'string' ? code : error.name)
}

function meaningOf(message: string, moment: 'opening' | 'open'): [ErrorCode, string] {
  const word = /^-?([A-Z]+)\b/.exec(message)?.[1] ?? ''
  if (word === 'MISCONF') {
    return /no space left/i.test(message)
      ? ['store_full', 'the disk of Redis is full; free some space and it goes on by itself']
      : ['store_unavailable', "Redis can't write its data to disk"]
  }
  if (message.startsWith('ERR AUTH'))
    return ['invalid_configuration', 'Redis has no password; take it out of the URL']
  if (/^ERR (DB index is out of range|invalid DB index)/.test(message)) {
    return [
      'invalid_configuration',
      'Redis has no database of this number; name one that exists in the URL, as /0 always does',
    ]
  }
  if (Object.hasOwn(MEANING, word)) return MEANING[word]!
  if (message.includes('access a non local key')) return MEANING.ASK!
  if (/SSL|TLS|certificate|self.signed/i.test(message)) {
    return [
      'store_unavailable',
      'no encrypted connection could be made; is the server running, does this port speak TLS (else write redis://), and is its certificate trusted here?',
    ]
  }
  if (
    /RESP type|socket closed|disconnects client|connection was closed|ECONNRESET/i.test(message) &&
    moment === 'opening'
  ) {
    return [
      'store_unavailable',
      'the server ended the connection or did not speak as Redis does; are host and port right, and does this port want TLS (then write rediss://)?',
    ]
  }
  if (UNREACHABLE.test(message)) {
    return moment === 'opening'
      ? ['store_unavailable', 'Redis could not be reached; is it running, and are host and port right?']
      : ['store_unavailable', 'Redis could not be reached; it is tried again by itself']
  }
  return ['store_unavailable', 'Redis could not be used, or its answer was lost']
}

const UNREACHABLE =
  /\b(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)\b|did not (answer|take)|timeout/i

/** What our own scripts say. */
function ownError(message: string, doing: string): BanksmanError {
  const [, kind = '', ...rest] = message.split(' ')
  const words = rest.join(' ')
  switch (kind) {
    case 'taken':
      return new BanksmanError('store_unavailable', `${doing} failed: this id of a ${words} is already taken`)
    case 'unfollowed':
      return new BanksmanError('store_unavailable', `${doing} failed: it follows a call that is not there`)
    case 'lost':
      return new BanksmanError(
        'store_unavailable',
        `${doing} failed: entry ${words} of the chain was given out before, and is not there any more`,
      )
    case 'schema':
      return new BanksmanError(
        'schema_newer',
        `the namespace was written by a newer Banksman (schema ${words}; this one knows ${SCHEMA}); use that version, or another namespace`,
        { found: Number(words), known: SCHEMA },
      )
    case 'gone':
      return new BanksmanError(
        'store_unavailable',
        `${doing} failed: the namespace is gone from Redis; it was deleted, or the server is another one`,
      )
    case 'promoted':
      return new BanksmanError(
        'invalid_configuration',
        `this Redis was a replica and has taken the place of its primary: decisions and claims that the primary had acknowledged may be missing here, so that a call could run twice. Bring the primary back; or accept what is lost with ${MAY_LOSE}, which writes into the journal what is missing, and take that out again afterwards; the same where the namespace was moved here within a cluster`,
      )
    case 'foreign':
      return new BanksmanError(
        'store_corrupt',
        'the keys under this prefix and namespace belong to another program; name another prefix',
      )
    default:
      return new BanksmanError('store_corrupt', `${doing} failed: ${words}`)
  }
}

/** Redis adds the script and the line. */
function withoutPlace(message: string): string {
  return message.replace(/ script: [0-9a-f]{40}, on @user_script:\d+\.$/, '')
}

/** The server has changed under us: everything must be looked at again. */
export function asksForNewConnection(error: unknown): boolean {
  return (
    error instanceof Error && /^(READONLY|MOVED|CLUSTERDOWN|MASTERDOWN|BANKSMAN gone)\b/.test(error.message)
  )
}

export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT')
}
