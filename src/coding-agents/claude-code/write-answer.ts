/**
 * Answers to Claude Code. `{}` is no opinion: its own rules go on. `allow` beats neither a deny nor an ask rule of the user. The model
 * isn't told that its arguments were changed unless we say it.
 */
import { defined } from '../../core/defined.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { type AgentHookAnswer, spokenReason } from '../agent-hook-answer.ts'
import type { HookPhase } from '../hook-event.ts'

export function writeClaudeCodeAnswer(answer: AgentHookAnswer, phase: HookPhase): JsonObject {
  if (answer.kind === 'no_opinion') return {}
  if (answer.kind === 'noted')
    return answer.note === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: answer.note } }
  return phase === 'asked' ? permissionRequest(answer) : preToolUse(answer)
}

type SaidAnswer = Extract<AgentHookAnswer, { kind: 'allow' | 'deny' }>

function preToolUse(answer: SaidAnswer): JsonObject {
  const hookEventName = 'PreToolUse'
  if (answer.kind === 'allow') {
    const told = defined({ additionalContext: answer.note })
    return {
      hookSpecificOutput: {
        hookEventName,
        permissionDecision: 'allow',
        updatedInput: answer.arguments,
        ...told,
      },
    }
  }
  const reason = spokenReason(answer.because)
  return {
    hookSpecificOutput: {
      hookEventName,
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
    // Ends the turn: the model isn't called again.
    ...(answer.stop === true ? { continue: false, stopReason: reason } : {}),
  }
}

/** It has no place to tell the model of an edit: that comes with the answer to the hook after the call. */
function permissionRequest(answer: SaidAnswer): JsonObject {
  const decision =
    answer.kind === 'allow'
      ? { behavior: 'allow', updatedInput: answer.arguments }
      : {
          behavior: 'deny',
          message: spokenReason(answer.because),
          ...(answer.stop === true ? { interrupt: true } : {}),
        }
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
}
