/**
 * Answers to our plugin for opencode: `{ decision: "none" }`, `{ decision: "allow", args }`, `{ decision: "deny", reason, waiting? }`, and
 * after a call `{ noted: true, note? }`. The plugin refuses whatever is none of these; where it is told `waiting` it may send the same
 * event again and go on waiting, since opencode gives it all the time it wants.
 */
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { type AgentHookAnswer, lastWords } from '../agent-hook-answer.ts'

export function writeOpencodeAnswer(answer: AgentHookAnswer): JsonObject {
  switch (answer.kind) {
    case 'no_opinion':
      return { decision: 'none' }
    case 'allow':
      return { decision: 'allow', args: answer.arguments }
    case 'deny':
      return { decision: 'deny', reason: lastWords(answer), ...defined({ waiting: answer.waiting }) }
    case 'noted':
      return { noted: true, ...defined({ note: answer.note }) }
  }
}
