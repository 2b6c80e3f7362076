/**
 * Somebody's account at another service, such as a chat. A channel verifies which account a click or a message came from and
 * hands that over. It never says who the person is: the gateway looks that up each time somebody acts (P6).
 */
import type { JsonObject } from './json/json.ts'
import type { Actor } from './session.ts'

export interface Account {
  /** The service's name, as `people:` in the configuration spells it: `feishu`, `slack`. */
  service: string
  /** The organisation or workspace that the account belongs to. Empty where the service has none. */
  tenant: string
  /** The service's own id of the account, never a name that people choose or an address that a client sends. */
  account: string
}

export interface VerifiedAccount extends Account {
  /**
   * Whether the tenant is the one that this channel is set up for. False for somebody of another tenant, as in a channel that
   * two companies share: the configuration names accounts of the own tenant only.
   */
  isHome: boolean
  /** What was verified, for the journal: ids, times, the scheme. No secret, no signature, nothing that could be used again. */
  proof: JsonObject
}

/** Who acts: a caller whose credential we checked, or an account that a channel verified. */
export type Identified = Actor | VerifiedAccount

export function isVerifiedAccount(who: Identified): who is VerifiedAccount {
  return 'service' in who
}
