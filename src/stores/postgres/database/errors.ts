/** Postgres' error codes in our words, each with what to do. */
import { BanksmanError, type ErrorCode, isBanksmanError } from '../../../core/errors.ts'
import type { PostgresAddress } from './address.ts'

/** @param moment An open store tries again by itself; one that is being opened is not there, and somebody has to look. */
export function toStoreError(
  error: unknown,
  doing: string,
  address: PostgresAddress,
  moment: 'opening' | 'open' = 'open',
): BanksmanError {
  if (isBanksmanError(error)) return error
  const cause = error instanceof Error ? error.message || errorCode(error) || error.name : String(error)
  const [code, hint] = lacksPassword(error, cause, address)
    ? NO_PASSWORD
    : ((moment === 'opening' ? openingMeaning(errorCode(error), cause) : undefined) ??
      meaningOf(errorCode(error)))
  // Our own words hold no password, and one that is a word of ours is not to be told by covering it there.
  const where = address.redact(`${address.name}: ${cause}`)
  return new BanksmanError(
    code,
    `${doing} failed: ${hint} (${where})`,
    {},
    isSecret(error, address) ? {} : { cause: error },
  )
}

const NO_PASSWORD: [ErrorCode, string] = [
  'store_unavailable',
  'the server wants a password, and the address has none; write postgres://user:password@host:5432/database',
]

/** The client itself gives up where the server asks for what it does not have. */
function lacksPassword(error: unknown, cause: string, address: PostgresAddress): boolean {
  if (address.hasPassword) return false
  return errorCode(error) === '28P01' || /^SASL: .*password must be a/.test(cause)
}

function openingMeaning(code: string, cause: string): [ErrorCode, string] | undefined {
  if (code.startsWith('57P')) {
    return ['store_unavailable', 'the server is stopping or starting; try again when it runs']
  }
  if (/SSL|TLS|certificate/i.test(`${code} ${cause}`) && !isSqlState(code)) {
    return [
      'store_unavailable',
      'no encrypted connection could be made; check sslmode in the URL, and the certificate of the server',
    ]
  }
  if (code === '08P01') return refusedOnTheWay(cause)
  if (isSqlState(code) && !code.startsWith('08')) return undefined
  return ['store_unavailable', 'the server could not be reached; is it running, and are host and port right?']
}

/** Somebody was reached, and speaks the protocol: pgbouncer gives this code to everything that it refuses. */
function refusedOnTheWay(cause: string): [ErrorCode, string] {
  if (/statement pooling mode/.test(cause)) {
    return [
      'invalid_configuration',
      'a pooler with pool_mode=statement takes no transaction, and the tables are made in one; set pool_mode=transaction, or open the store once at the server itself',
    ]
  }
  return ['store_unavailable', 'the pooler or proxy at this address refused it; look at its settings']
}

function isSqlState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE'
}

/** Whether the password is in it, as it is in the error of a server that was sent it in the wrong place. */
export function isSecret(error: unknown, address: PostgresAddress): boolean {
  const shown = error instanceof Error ? `${error.message} ${error.stack}` : String(error)
  return address.redact(shown) !== shown
}

/** An operation that failed inside its batch, which was committed without it. */
export function toOperationError(code: string, message: string, address: PostgresAddress): BanksmanError {
  const [meaning, hint] = meaningOf(code)
  return new BanksmanError(
    meaning,
    `writing failed: ${hint} (${address.redact(`${address.name}: ${message}`)})`,
    {},
  )
}

/** The SQLSTATE of an error of the server, or the code of a socket's. */
export function errorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

function meaningOf(code: string): [ErrorCode, string] {
  return (
    MEANING.get(code) ??
    MEANING.get(code.slice(0, 2)) ?? [
      'store_unavailable',
      'the connection to the database was lost or could not be made; it is tried again by itself',
    ]
  )
}

const MEANING = new Map<string, [ErrorCode, string]>(
  Object.entries({
    '08': ['store_unavailable', 'the connection to the database was lost; it is made again by itself'],
    '22': ['store_unavailable', 'the server can not take this value'],
    '23503': ['store_unavailable', 'it follows a call that is not there'],
    '23505': ['store_unavailable', 'an id is already taken'],
    '25006': [
      'store_unavailable',
      'this server takes no writes, as a standby or a primary after a failover does; name the primary',
    ],
    '28': [
      'store_unavailable',
      'the server refuses this user; check user and password in the URL, and pg_hba.conf',
    ],
    '3D000': ['store_unavailable', 'there is no such database; create it, or name another in the URL'],
    '40': ['store_unavailable', 'it collided with another write; ask again'],
    '42501': ['store_unavailable', 'this role lacks a right; it must own the schema and its tables'],
    '42': ['store_corrupt', 'tables or functions of the schema are missing or altered; restore a backup'],
    '53100': ['store_full', "the server's disk is full; free some space and it goes on by itself"],
    '53200': ['store_unavailable', 'the server is out of memory'],
    '53300': [
      'store_unavailable',
      'the server has no connection left; raise its max_connections or lower the size of the pool',
    ],
    '54': ['store_unavailable', 'something in it is larger than the server can take'],
    '55P03': [
      'store_locked',
      'another session holds the lock of the namespace; look for it in pg_stat_activity',
    ],
    '57014': ['store_unavailable', 'the server gave up on the statement; look at its statement_timeout'],
    '57': ['store_unavailable', 'the server is stopping or starting; it is tried again by itself'],
    '58': ['store_unavailable', "the server's disk reported an error; look at its log"],
    BK002: [
      'invalid_configuration',
      'default_transaction_isolation must be "read committed" for this role; set it with ALTER ROLE',
    ],
    BK003: [
      'store_unavailable',
      'the server lacks what it had acknowledged, as one that took over or was restored may; look at its replication',
    ],
    XX001: ['store_corrupt', 'the database is damaged; restore a backup'],
    XX002: ['store_corrupt', 'an index of the database is damaged; REINDEX it, or restore a backup'],
  }),
)
