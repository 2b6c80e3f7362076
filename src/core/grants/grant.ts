/**
 * A grant: remembered permission that a decision left behind. It is bound to the rules that asked, to the
 * tool's definition and to a session or the whole namespace; a rule added later still asks.
 */
import type { JsonObject } from '../json/json.ts'
import type { Reason } from '../reasons/reason.ts'

export interface Grant {
  id: string
  /** The session it holds in; absent: everywhere in the namespace. */
  session?: string
  /** Whether sub-sessions of `session` may use it too. */
  includeSubSessions?: boolean
  tool: string
  definitionDigest: string
  /** The rules that asked when it was given. It answers these and no others. */
  rules: string[]
  match: GrantMatch
  createdAt: number
  createdBy: string
  /** The request whose decision left it. */
  requestId: string
  /** By the store's time; `expiresAt <= now` is expired. */
  expiresAt?: number
  /** How many more calls it covers; absent: no bound. */
  usesLeft?: number
  uses: number
  revoked?: { at: number; by: string }
}

/**
 * Exactly one call, or all that a condition in the policy's language holds for, checked when the grant is made and used. `words` say in
 * English what that is, and are made of `reason`, which is absent on what an earlier version wrote.
 */
export type GrantMatch =
  | { kind: 'exact'; digest: string }
  | { kind: 'when'; when: JsonObject; words: string; reason?: Reason }
