import type { JsonObject } from './json/json.ts'

/** A session: one running conversation of one agent. It belongs to whoever first used it. */
export interface Session {
  id: string
  owner: string
  /** A session that a person started may be decided by that person unless a rule names others. */
  ownerRole: Role
  parent?: string
  mode?: string
  createdAt: number
  ended?: { at: number; by: string; reason?: string }
}

/** How much a session may do without asking. `policy/` says what each mode means for a call. */
export const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypass'] as const

export type Mode = (typeof MODES)[number]

/** Those in which people are asked less than in `default`. They count only where the configuration names them, under `modes:`. */
export const LAX_MODES = ['acceptEdits', 'bypass'] as const satisfies readonly Mode[]

export type LaxMode = (typeof LAX_MODES)[number]

export function isLaxMode(mode: string): mode is LaxMode {
  return (LAX_MODES as readonly string[]).includes(mode)
}

export const ROLES = ['agent', 'approver', 'admin'] as const

export type Role = (typeof ROLES)[number]

export const PERSON_ROLES = ['approver', 'admin'] as const satisfies readonly Role[]

export type PersonRole = (typeof PERSON_ROLES)[number]

/** `login`: a single-use code for a login link. `cookie`: what a login leaves in a browser for chat pages. */
export const TOKEN_USES = ['bearer', 'login', 'cookie'] as const

export type TokenUse = (typeof TOKEN_USES)[number]

/** Who is acting, as the authenticated connection says; never as a body says (P6). */
export interface Actor {
  subject: string
  role: Role
  /** Through what: `http`, `cli`, `library`, or a channel's name. */
  via: string
  /** The connection comes from another machine: what it says of files is only its word. */
  remote?: boolean
  /** The account by which the gateway found them and the proof of it, as the journal has them. */
  account?: JsonObject
}
