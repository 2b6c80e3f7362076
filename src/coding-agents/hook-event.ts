/**
 * What a coding agent's hook tells: it wants to make a call, it has made one, or its session is over. Nothing in it is trusted. No
 * path in it is opened. The session has a name that we made of the agent's own, and the folder is no part of it, so that a session
 * stays the same one when the agent changes folders.
 */
import type { AgentLineage } from '../core/call.ts'
import { digestOf } from '../core/digest.ts'
import type { JsonObject } from '../core/json/json.ts'
import type { Can } from '../guard/contract.ts'

/**
 * `before`: the agent is about to make the call. `asked`: its own rules would ask the person in front of it. `after`: the call was made,
 * or it will not be. `over`: nothing that was let through in the session so far is still running.
 */
export type HookPhase = HookEvent['phase']

export type HookEvent = WantedCall | MadeCall | SessionOver

export interface WantedCall extends OfSession {
  phase: 'before' | 'asked'
  /** Absent where the agent doesn't say: then no two of its calls are the same one. */
  callId?: string
  /** As the policy's catalogue knows it. */
  tool: string
  arguments: JsonObject
  /** The same as the agent wrote them. */
  given: JsonObject
  /** Why, in the agent's own words. */
  context?: string
  /** Absolute. What is relative in the call is meant from here. */
  cwd: string
  lineage: AgentLineage
  /** What this agent can carry back for this call. */
  can: Can
}

export interface MadeCall extends OfSession {
  phase: 'after'
  callId?: string
  tool: string
  /** Those that it was made with, where the agent says. */
  arguments?: JsonObject
  outcome: { ok: boolean; summary?: string }
}

export interface SessionOver extends OfSession {
  phase: 'over'
}

interface OfSession {
  agent: string
  session: string
}

/** An event that is not what we know. Whatever the agent meant, it is refused. */
export interface UnreadableEvent {
  /** In whose form the refusal is written. Absent: not even that is known. */
  phase?: 'before' | 'asked'
  because: string
}

export function isUnreadable(event: HookEvent | UnreadableEvent): event is UnreadableEvent {
  return 'because' in event
}

/** On any system: a relative folder would be one of the server's. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/

export function isAbsoluteFolder(text: unknown): text is string {
  return typeof text === 'string' && ABSOLUTE.test(text)
}

/** Half of a SHA-256 in hex is more than anybody makes two of. */
const SESSION_DIGITS = 32

export function sessionOf(agent: string, id: string): string {
  return `${agent}-${digestOf(id).slice(0, SESSION_DIGITS)}`
}
