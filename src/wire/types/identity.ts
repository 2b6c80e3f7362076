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
  /**
   * All that it is good for: hooks:codex is the hook of Codex, mcp:files the proxy in front of the MCP server
   * files. Absent: what its role may.
   */
  scope?: string
  /**
   * When a coding agent's hook last came with it, and in which session. A new session is told at once, the
   * same one at most once a minute.
   */
  lastHook?: { at: string; session: string }
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
  /**
   * hooks: and the name of a coding agent, or mcp: and the name of an MCP server. The token is then good for
   * POST /v1/hooks/{agent} of that agent, or for /v1/mcp/{server} and below, and for nothing else; its role
   * must be agent.
   */
  scope?: string
}

/** A credential that was just made. The secret is shown this once. */
export interface WireCredential {
  secret: string
  token: WireToken
}
