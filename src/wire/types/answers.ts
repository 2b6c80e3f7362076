/** Written by `npm run generate:wire` from src/wire/answers.ts; don't edit. */
// biome-ignore-all format: written by a program
import type { ErrorCode } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { WireRequest } from './request.ts'

export interface WireDecided {
  request: WireRequest
  decided: boolean
  repeated: boolean
}

export interface WireCancelled {
  request: WireRequest
  /** False: it has taken effect, and the record follows when the store can be reached. */
  recorded: boolean
}

export interface WireRevealed {
  arguments: JsonObject
}

export interface WireEntry {
  type: string
  at: string
  /** The members of the entry's body that are meant for reading. */
  body: JsonObject
}

export type WireEvent =
  /** A request was opened or changed; it comes whole. */
  | { type: 'request'; cursor: string; request: WireRequest }
  /** Something else was recorded: a call that was allowed or denied, a session that ended, … */
  | { type: 'entry'; cursor: string; entry: WireEntry }
  /** What lies between can't be shown: list again. */
  | { type: 'reset'; cursor: string }

export interface WireProblem {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail: string
  [member: string]: unknown
}

/** What the server sends on the socket besides events: the answer to the command with this ref. */
export type WireSocketResult =
  | { type: 'result'; ref: string; request: WireRequest; decided: boolean; repeated: boolean }
  | { type: 'result'; ref: string | null; problem: WireProblem }

/** What the server sends on a socket that carries streams. */
export type WireCarrierFrame =
  /** How the stream was answered. `text` is the whole answer where it is no stream: a problem. */
  | { type: 'answer'; ref: string; status: number; contentType: string; text?: string }
  /** The next piece of the stream, as server-sent events. */
  | { type: 'text'; ref: string; text: string }
  /** The stream has ended. */
  | { type: 'end'; ref: string }
