/** The server's URL: checked, and told without its password. */
import { BanksmanError } from '../../core/errors.ts'

export interface Address {
  readonly url: string
  /** For messages: host, port and database, and nothing that is secret. */
  readonly name: string
  /** Covers the password wherever it appears in a text. */
  redact(text: string): string
}

export function readAddress(option: string, url: unknown): Address {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    // What was given is not repeated: it may hold a password.
    throw new BanksmanError(
      'invalid_configuration',
      `${option} is not the URL of a Postgres server; it is written postgres://user:password@host:5432/database`,
    )
  }
  const secrets = [parsed.password, decoded(parsed.password), parsed.searchParams.get('password') ?? '']
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length)
  const host = parsed.searchParams.get('host') ?? (parsed.host === '' ? 'localhost' : parsed.host)
  return {
    url: parsed.href,
    name: `${host}${parsed.pathname}`,
    redact: (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
