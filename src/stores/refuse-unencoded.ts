/**
 * Whether what stands in an address as user and password was percent-encoded. Where it was not, such an address may still
 * be read as one: with a piece of the password as the name of the host, which is then printed and looked up (P9).
 */
import { BanksmanError } from '../core/errors.ts'

/** @param what Names the address in the message, which repeats nothing of it. */
export function refuseUnencoded(what: string, address: string): void {
  if (!looksUnencoded(address)) return
  throw new BanksmanError(
    'invalid_configuration',
    `${what} is not repeated here, as it seems to hold a password that is not percent-encoded: in a user name and a password (and wherever @ or % stands for itself) write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23 and % as %25, so that the password p@ss becomes p%40ss`,
  )
}

function looksUnencoded(address: string): boolean {
  const [, authority = '', rest = ''] = /^(?:[^/?#@]*:\/\/)?([^/?#]*)(.*)$/s.exec(address) ?? []
  return authority.split('@').length > 2 || rest.includes('@') || !isEncoded(authority) || !isEncoded(rest)
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
