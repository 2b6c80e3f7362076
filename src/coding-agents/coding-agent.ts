/**
 * One coding agent, such as Claude Code: how its hooks speak. All that differs between agents is in its folder; nothing outside of
 * this room names one. The server calls `read` with what a hook sent, asks policy and people, and sends what `write` gives.
 *
 * What MUST hold
 * - Both are pure. They open nothing and ask nobody.
 * - `read` takes any JSON. What it doesn't know in full it refuses, with a reason.
 * - `write` gives bytes that were tried with the real program, or read in its source. What a program takes for "failed" it mostly
 *   takes for yes as well, so nothing is added on a guess: no member that might be unknown, no decision without what must go with it.
 * - `allow` always carries the approved arguments, changed or not: another hook can't change them unseen then.
 *
 * What MUST NOT happen
 * - No answer but `allow` and `no_opinion` may let a call run, in any phase.
 */
import type { Answers } from '../core/decision.ts'
import type { JsonObject, JsonValue } from '../core/json/json.ts'
import type { AgentHookAnswer } from './agent-hook-answer.ts'
import type { HookEvent, HookPhase, UnreadableEvent, WantedCall } from './hook-event.ts'

export interface CodingAgent {
  /** As it stands in addresses, tokens and commands. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  /** How long its hook may take: the agent's own limit has to be set to this. The server answers before. */
  readonly hookTimeoutMs: number
  /** When its model can hear that a person changed the arguments: with the answer, or only after the call. */
  readonly tellsEdits: 'before' | 'after'
  read(event: JsonValue): HookEvent | UnreadableEvent
  write(answer: AgentHookAnswer, phase: HookPhase): JsonObject
  /** The approved arguments under the names that the agent has for them. Undefined: it can't be given these. */
  argumentsFor(call: WantedCall, approved: JsonObject): JsonObject | undefined
  /** Of a question to a person: the arguments by which it counts as answered. Absent: the agent has no such tool. */
  answeredArguments?(call: WantedCall, answers: Answers): JsonObject
}
