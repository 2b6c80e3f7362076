/**
 * Answers to Codex. What it takes for a failed hook it takes for a yes: `allow` without `updatedInput`, `ask`, a deny without a reason,
 * `continue: false`, and in an answer to its own question `updatedInput` and `interrupt`. So none of these is ever written, and the
 * model is told of an edit after the call, where a member that Codex doesn't know costs nothing.
 */
import type { JsonObject } from '../../core/json/json.ts'
import { type AgentHookAnswer, lastWords, spokenReason } from '../agent-hook-answer.ts'
import type { HookPhase } from '../hook-event.ts'

export function writeCodexAnswer(answer: AgentHookAnswer, phase: HookPhase): JsonObject {
  switch (answer.kind) {
    case 'no_opinion':
      return {}
    case 'noted':
      return answer.note === undefined
        ? {}
        : { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: answer.note } }
    case 'allow':
      if (phase !== 'asked')
        return preToolUse({ permissionDecision: 'allow', updatedInput: answer.arguments })
      // Changed arguments would be dropped, and the call would run as the model wrote it.
      return answer.note === undefined ? permission({ behavior: 'allow' }) : denied(answer.note, phase)
    case 'deny':
      return denied(lastWords(answer), phase)
  }
}

function denied(because: string, phase: HookPhase): JsonObject {
  const reason = spokenReason(because)
  if (phase === 'asked') return permission({ behavior: 'deny', message: reason })
  return preToolUse({ permissionDecision: 'deny', permissionDecisionReason: reason })
}

const preToolUse = (decision: JsonObject): JsonObject => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision },
})

const permission = (decision: JsonObject): JsonObject => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
})
