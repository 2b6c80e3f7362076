/** The server's URL: checked, and told without its password. */
import { BanksmanError } from '../../../core/errors.ts'
import { refuseUnencoded } from '../../refuse-unencoded.ts'

export interface PostgresAddress {
  readonly url: string
  /** For messages: host, port and database, and nothing that is secret. */
  readonly name: string
  readonly hasPassword: boolean
  /** Covers the password wherever it appears in a text. */
  redact(text: string): string
}

/** A shorter password is found in ordinary words too, and covering it there would tell it. */
const SHORTEST_COVERED = 4

export function readPostgresAddress(option: string, url: unknown): PostgresAddress {
  if (typeof url === 'string') refuseUnencoded(option, url)
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    // What was given is not repeated: it may hold a password.
    throw new BanksmanError(
      'invalid_configuration',
      `${option} is not the URL of a Postgres server; it is written postgres://user:password@host:5432/database`,
    )
  }
  const secrets = [parsed.password, decoded(parsed.password), ...parsed.searchParams.getAll('password')]
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length)
  const host = parsed.searchParams.get('host') ?? (parsed.host === '' ? 'localhost' : parsed.host)
  const name = `${host}${parsed.pathname}`
  return {
    url: parsed.href,
    name,
    hasPassword: secrets.length > 0,
    redact(text) {
      let safe = text.replaceAll(String(url), name).replaceAll(parsed.href, name)
      for (const secret of secrets) {
        safe = safe.replaceAll(`:${secret}@`, ':***@')
        if (secret.length >= SHORTEST_COVERED) safe = safe.replaceAll(secret, '***')
      }
      return safe
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
