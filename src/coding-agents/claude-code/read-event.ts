/** Claude Code's hook events. Its question to the user becomes ours, so that it can be answered from anywhere. */
import { guardedCall } from '../../adapters/claude-agent-sdk/questions.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { HookEvent, MadeCall, UnreadableEvent } from '../hook-event.ts'
import { briefly, readToolHookEvent } from '../tool-hook-event.ts'

export const CLAUDE_CODE = 'claude-code'

const PHASES = {
  PreToolUse: 'before',
  PermissionRequest: 'asked',
  PostToolUse: 'after',
  PostToolUseFailure: 'after',
  PermissionDenied: 'after',
  // At the end of a turn nothing of it runs any longer; a sub-agent in the background may still report late.
  Stop: 'over',
  SessionEnd: 'over',
} as const

export function readClaudeCodeEvent(event: JsonValue): HookEvent | UnreadableEvent {
  return readToolHookEvent(event, {
    agent: CLAUDE_CODE,
    phases: PHASES,
    wanted: (tool, input) => ({ ...guardedCall(tool, input), can: {} }),
    outcome: outcomeOf,
  })
}

function outcomeOf(name: string, { error, reason }: JsonObject): MadeCall['outcome'] {
  if (name === 'PostToolUse') return { ok: true }
  if (name === 'PostToolUseFailure') return { ok: false, summary: briefly(error) ?? 'it failed' }
  return { ok: false, summary: `Claude Code did not run it: ${briefly(reason) ?? 'no reason was given'}` }
}
