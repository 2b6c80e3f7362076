/** Written by `npm run generate:wire` from src/wire/grant.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { Reason } from '../../core/reasons/reason.ts'
import type { GrantWidth, LastingScope } from '../../core/verdict.ts'

export interface WireGrant {
  id: string
  session?: string
  includeSubSessions?: boolean
  tool: string
  rules: string[]
  scope: LastingScope
  /** What it lets through. */
  words: string
  /** The same as a code with its values; absent where it covers exactly one call. */
  reason?: Reason
  /** Of the call that it covers, where it covers exactly one. */
  digest?: string
  createdAt: string
  createdBy: string
  requestId: string
  expiresAt?: string
  usesLeft?: number
  uses: number
  revoked?: { at: string; by: string }
}

/** What a grant would have matched, had there been one. */
export interface WireMatched {
  calls: number
  /** How many calls of any tool were looked through. */
  of: number
  days: number
  /** Of those that match: how many people were asked about, and how many of these they refused. */
  asked: number
  rejected: number
  /** Of those that match: how many the policy denied, and would deny still. */
  denied: number
  /** Some of them, each in a line. */
  examples: string[]
  /** There were more calls; only the newest were looked through. */
  cut?: boolean
}

/** A grant that a decision on a request may leave behind. */
export interface WireSuggestion {
  /** A decision names it as grant.suggestion. */
  id: string
  width: GrantWidth
  /** What it would let through. */
  words: string
  /** The same as a code with its values. */
  reason?: Reason
  matched: WireMatched
}

export interface WireSuggestions {
  /** From narrow to wide. */
  suggestions: WireSuggestion[]
}
