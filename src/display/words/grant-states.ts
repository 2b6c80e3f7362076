/** Whether a grant still allows calls by its terms, and if not, how it ended. */
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

/** `used`: all its uses are spent. */
export type GrantState = 'live' | 'revoked' | 'expired' | 'used'

export interface GrantEnd {
  revoked?: object
  expiresAt?: string
  usesLeft?: number
}

/** What the grant's terms say. Whether it allows a call, the server decides. */
export function grantStateOf({ revoked, expiresAt, usesLeft }: GrantEnd, now: number): GrantState {
  if (revoked !== undefined) return 'revoked'
  if (usesLeft !== undefined && usesLeft <= 0) return 'used'
  // As on the server: at the very moment it has ended.
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now) return 'expired'
  return 'live'
}

export function sayGrantState(state: GrantState, locale: Locale): string {
  return sayCode(GRANT_STATES, state, locale)
}

const GRANT_STATES: CodeWords<GrantState> = {
  en: { live: 'active', revoked: 'revoked', expired: 'expired', used: 'used up' },
  zh: { live: '生效中', revoked: '已撤销', expired: '已过期', used: '已用完' },
}
