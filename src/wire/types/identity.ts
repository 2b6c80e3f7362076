/** Written by `npm run generate:wire` from src/wire/identity.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { PersonRole, Role, TokenUse } from '../../core/session.ts'

export interface WireIdentity {
  subject: string
  role: Role
  namespace: string
}

export interface WireLogin {
  /** Sent with every call from now on, as a header. */
  key: string
  subject: string
  role: Role
  namespace: string
}

/** The single-use code of a login link. */
export interface WireLoginCode {
  code: string
  expiresAt?: string
}

export interface LoginCodeInput {
  subject: string
  role: PersonRole
}

export interface WireToken {
  /** login: a single-use code for a login link. cookie: what a login leaves in a browser for chat pages. */
  use: TokenUse
  id: string
  subject: string
  role: Role
  namespace: string
  label?: string
  createdAt: string
  createdBy: string
  expiresAt?: string
  revokedAt?: string
}

export interface TokenInput {
  role: Role
  subject: string
  label?: string
  expiresInMs?: number
}

/** A credential that was just made. The secret is shown this once. */
export interface WireCredential {
  secret: string
  token: WireToken
}
