/** What the server answers where `core/wire.ts` has no name for it. Members that we don't know are left alone. */
import type { JsonObject } from '../core/json.ts'
import type { WireIdentity, WireRequest, WireToken } from '../core/wire.ts'

/** A credential that was just made. The secret is shown this once. */
export interface WireCredential {
  secret: string
  token: WireToken
}

export interface WireLogin extends WireIdentity {
  /** Sent with every call from now on, as a header. */
  key: string
}

export interface WireRenewal {
  leaseUntil: string
  /** The call was told to stop. */
  stop: boolean
}

export interface WireCancelled {
  request: WireRequest
  /** False: it has taken effect, and the record follows when the store can be reached. */
  recorded: boolean
}

export interface WireGrant {
  id: string
  session?: string
  tool: string
  rules: string[]
  createdAt: string
  createdBy: string
  requestId: string
  expiresAt?: string
  usesLeft?: number
  uses: number
  revoked?: { at: string; by: string }
}

/** A call that the policy allowed or denied: nobody was asked. */
export interface WireCall {
  session: string
  callId: string
  tool: string
  /** Masked; absent once they were erased. */
  arguments?: JsonObject
  verdict: 'allow' | 'deny'
  because: string
  rule?: string
  submittedBy: string
  createdAt: string
}

export interface WireChain {
  chain: string
  /** The number of its last entry. */
  last: number
}

export interface WireJournalEntry {
  chain: string
  n: number
  type: string
  request?: string
  version?: number
  /** The text that was hashed. */
  body: string
}

export interface WireJournalReport {
  ok: boolean
  entries: number
  requests: number
  chains: { chain: string; [member: string]: unknown }[]
  problems: { kind: string; message: string; [member: string]: unknown }[]
  omitted: number
}
