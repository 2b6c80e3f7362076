/**
 * The secretary: coding sessions that work in the background, for people who look after several of them. `agents/secretary/` has
 * them; `http/` and `people/` call it. A coding session is a session like any other: the same log, events, requests, mode and end.
 * What is added is where it works, where its owner is told of it, and when it is put to sleep.
 *
 * What MUST hold
 * - People only (P11). A session belongs to who started it; admins may do what its owner may. To everybody else it isn't there. The
 *   one exception is the brake that the gateway has for every session: anybody who may approve can cancel its requests and end it.
 * - `start` and `send` return at once, after what was said is on the record. If a turn runs, `send` interrupts it, waits until it is
 *   over, ten seconds at most, and goes on. What the interrupted turn still says is never taken for the answer to the new message.
 * - A folder is compared by its real path, at the start and each time the session is woken. It must be one of `secretary.folders`, or in
 *   one, and never Banksman's own data folder, in it or above it. Where that is no longer so, the turn fails and says why.
 * - Only these reach a chat: the end of a turn, an error, a request, a question, and that nobody answered in time. Each is told at
 *   least once, also after a restart; a chat that is slow or away holds nothing up.
 * - Cards go where the session was started: to the owner's private chat, or to the group in which they started it. Notices go where the
 *   owner last talked to it. Where it has no chat, the inbox is asked.
 * - A mode that asks less than `default` needs `modes:` in the configuration to name it, and the session's owner or an admin. The
 *   gateway checks that, for every way to set a mode.
 * - What a session says, and what its tools gave, is not ours: whoever shows it makes it visible first and marks it as its words.
 */
import type { Origin } from './call.ts'
import type { Interruption, Said } from './conversation.ts'
import type { SessionProgress } from './progress.ts'
import type { Actor, Mode } from './session.ts'

export interface Secretary {
  /** Where sessions may work, and which agents work there. For people only. */
  offers(actor: Actor): SessionOffers
  start(input: StartSession, actor: Actor): Promise<StartedSession>
  /** The actor's own, the newest first; with `all`, for admins, everybody's. Closed ones only with `closed`. */
  list(query: { all?: boolean; closed?: boolean }, actor: Actor): Promise<CodingSession[]>
  find(session: string, actor: Actor): Promise<CodingSession>
  send(session: string, message: SessionMessage, actor: Actor): Promise<Said>
  /** `send`, and then the turn's last words; else its error; else `(no output)`. It also returns when the session is closed. */
  sendAndWait(
    session: string,
    message: SessionMessage,
    actor: Actor,
    options?: { signal?: AbortSignal },
  ): Promise<string>
  /** A snapshot, from what is known here. The session isn't disturbed. */
  progress(session: string, actor: Actor): Promise<CodingProgress>
  /** False: nothing ran. What waits in the turn is withdrawn, and its cards say so. */
  interrupt(session: string, input: Interruption, actor: Actor): Promise<boolean>
  /** Takes effect with the next call, also in a turn that runs. */
  setMode(session: string, mode: SessionModeName, actor: Actor): Promise<Mode>
  /** Interrupts it without a notice and ends its process. It is no longer listed; the next message opens it again. */
  close(session: string, actor: Actor): Promise<void>
}

/** The policy's modes, by the names that coding agents have for them. */
export const SESSION_MODE_NAMES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const

export type SessionModeName = (typeof SESSION_MODE_NAMES)[number]

export function modeNamed(name: SessionModeName | Mode): Mode {
  return name === 'bypassPermissions' ? 'bypass' : name
}

export interface SessionOffers {
  /** Absolute paths of those that are there; the folders below them are allowed, too. */
  folders: string[]
  /** The first is meant where none is named. */
  agents: string[]
}

export interface StartSession {
  /** A path, absolute or from the first of the folders; or the last part of the name of one of them, if only one has it. */
  folder: string
  /** The first message. Without one the session waits for it. */
  text?: string
  mode?: SessionModeName
  /** Where it was started: cards and notices go there. Absent: the inbox. */
  origin?: Origin
  /** Which of the secretary's agents works there. Absent: the first. */
  agent?: string
}

export interface SessionMessage {
  text: string
  /** Where it was said: notices go there from now on. Absent: where they went before. */
  origin?: Origin
}

export interface StartedSession {
  session: CodingSession
  /** Of the first message. */
  said?: Said
}

export const CODING_STATES = ['asleep', 'idle', 'running', 'waiting', 'closed', 'ended'] as const

export type CodingState = (typeof CODING_STATES)[number]

export interface CodingSession {
  id: string
  owner: string
  agent: string
  /** The real path. */
  folder: string
  mode: Mode
  /** `asleep`: nothing of it runs, and the next message wakes it. `ended`: nothing more is said in it. */
  state: CodingState
  /** Of one that is `waiting`: all that it asks are questions, and no approval is wanted. */
  waitsFor?: 'answer'
  createdAt: number
  lastAt: number
  /** The first words that were said in it. */
  title?: string
}

export interface CodingProgress extends SessionProgress {
  folder: string
  mode: Mode
  /** How long the turn has run, in milliseconds; 0 where none does. */
  elapsedMs: number
  /** What the session has used of its limits. */
  used: SessionUse
  limits: Partial<SessionUse>
}

/** Over all turns of a session. */
export interface SessionUse {
  turns: number
  /** The time in which turns ran, without waiting for people. */
  workedMs: number
  /** As the engine tells it. Absent: it doesn't. */
  costUsd?: number
}
