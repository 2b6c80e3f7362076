/** Written by `npm run generate:wire` from src/wire/session.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { InterruptionKind } from '../../core/conversation.ts'
import type { ErrorCode } from '../../core/errors.ts'
import type { Mode } from '../../core/session.ts'
import type { WireSaid } from './conversation.ts'

/** What a coding session works on. */
export interface WireCoding {
  /** The real path. */
  folder: string
  agent: string
  /**
   * asleep: nothing of it runs, and the next message wakes it. waiting: a person is asked. closed: it is not
   * listed, and the next message opens it again. ended: nothing more is said in it.
   */
  state: 'asleep' | 'idle' | 'running' | 'waiting' | 'closed' | 'ended'
  /** Of one that is waiting: all that it asks are questions. */
  waitsFor?: 'answer'
  /** Somebody last said something in it. */
  lastAt: string
  /** The first words that were said in it. */
  title?: string
}

/** Of a session whose calls come from outside. */
export interface WireHeard {
  /** It was last heard. */
  at: string
  /** Where it works, by its newest call that named a folder, and in its own words. */
  folder?: string
}

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
  /** Of a coding session, for its owner and admins. */
  coding?: WireCoding
  /**
   * Of a session whose calls come from outside: of an agent that is connected by its hooks, of an MCP server
   * behind the proxy, of a program that uses this API. For people.
   */
  heard?: WireHeard
  /** It is a conversation with this server's agent that the reader may read. Told of one session. */
  chat?: true
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
  /** Of a coding session, for its owner and admins. */
  coding?: WireCoding
  /**
   * Of a session whose calls come from outside: of an agent that is connected by its hooks, of an MCP server
   * behind the proxy, of a program that uses this API. For people.
   */
  heard?: WireHeard
  /** It is a conversation with this server's agent that the reader may read. Told of one session. */
  chat?: true
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

export interface StartSessionInput {
  /**
   * A path, absolute or from the first of the folders that sessions may use; or the last part of the name of
   * one of them.
   */
  folder: string
  /** The first message. Without one the session waits for it. */
  text?: string
  /** One that asks less than default needs `modes:` in the configuration. */
  mode?: 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypass' | 'bypassPermissions'
  /** Which of the secretary's agents works there. Absent: the first. */
  agent?: string
}

/** What a new coding session can be. */
export interface WireSessionOffers {
  /** Where it may work: in these folders, as the configuration has them, and below them. */
  folders: string[]
  /** Who may work there. The first is meant where none is named. */
  agents: string[]
  /** In which modes the reader may start one. */
  modes: Mode[]
}

export interface WireStartedSession {
  session: WireSession
  /** Of the first message. */
  said?: WireSaid
}
