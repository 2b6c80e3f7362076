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

export type Role = 'agent' | 'approver' | 'admin'

/** Who is acting, as the authenticated connection says; never as a body says (P6). */
export interface Actor {
  subject: string
  role: Role
  /** Through what: `http`, `cli`, `library`, or a channel's name. */
  via: string
  /** The connection comes from another machine: what it says of files is only its word. */
  remote?: boolean
}
