/** A link between a chat account and a person while it is being made. `gateway/access/linking.ts` says how. */
import type { VerifiedAccount } from '../authority.ts'

/** `claimed`: an account has sent the code, and the person has not confirmed it yet. */
export const LINKING_STATES = ['waiting', 'claimed', 'linked', 'expired', 'refused'] as const

export type LinkingState = (typeof LINKING_STATES)[number]

/**
 * `account_taken`: the account is somebody else's. `account_yours`: it is theirs already. `has_account`: they have got another one
 * meanwhile. `seen_by_others`: the code was sent in a group. `cancelled`: they took it back.
 */
export const LINKING_REFUSALS = [
  'account_taken',
  'account_yours',
  'has_account',
  'seen_by_others',
  'cancelled',
] as const

export type LinkingRefusal = (typeof LINKING_REFUSALS)[number]

export interface Linking {
  id: string
  service: string
  state: LinkingState
  /** Until when the code can be sent; once it was, until when the account can be confirmed. */
  expiresAt: number
  account?: ClaimingAccount
  /** Why it is refused. */
  because?: LinkingRefusal
}

/** Who sent the code. */
export interface ClaimingAccount {
  tenant: string
  account: string
  /** What the service shows, which its owner chooses: it proves nothing. */
  name?: string
}

/** What an account has sent to a bot. */
export interface LinkClaim {
  /** As it was written. */
  code: string
  account: VerifiedAccount
  /** What the service shows as the sender's name. */
  name?: string
  /** Nobody else reads it. */
  isPrivate: boolean
}

/** What a bot hears of a code that an account has sent. */
export type LinkClaimed =
  | { kind: 'claimed'; subject: string }
  /** It was sent where others read it: it is void. */
  | { kind: 'void' }
  /** The account is this person's already. */
  | { kind: 'yours'; subject: string }
  /** Wrong, used, expired, of another service, or too many tries: nobody is told which. */
  | { kind: 'worthless' }
