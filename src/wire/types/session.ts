/** Written by `npm run generate:wire` from src/wire/session.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { InterruptionKind } from '../../core/conversation.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Mode } from '../../core/session.ts'

export interface WireSession {
  id: string
  owner: string
  parent?: string
  /** As it is judged. Absent: the mode of the policy. */
  mode?: string
  createdAt: string
  ended?: { at: string; by: string; reason?: string }
  /** The turn of our agent that runs there. */
  running?: string
  /** The modes that the reader may set. Told of one session, to people. */
  modes?: Mode[]
}

export interface WireSessionRow {
  id: string
  owner: string
  parent?: string
  /** As it is judged. Absent: the mode of the policy. */
  mode?: string
  createdAt: string
  ended?: { at: string; by: string; reason?: string }
  /** The turn of our agent that runs there. */
  running?: string
  /** The modes that the reader may set. Told of one session, to people. */
  modes?: Mode[]
  /** How a conversation with our agent began, in a line; absent for other sessions. */
  title?: string
  /** Something last happened. */
  lastAt: string
}

/** What interrupting a session's turn did. */
export interface WireStopped {
  /** The requests that were cancelled or told to stop. */
  stopped: string[]
  /** Those that could not be, and why. */
  refused: { id: string; code: ErrorCode; detail: string }[]
  /** Whether a turn of our agent ran there and was interrupted. */
  interrupted?: boolean
}

export interface StopInput {
  reason?: string
  /** graceful lets what runs finish; hard, which is meant without it, tells that to stop too. */
  how?: InterruptionKind
}
