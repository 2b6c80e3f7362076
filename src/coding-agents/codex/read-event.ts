/**
 * Codex's hook events. Its shell tools all come as `Bash`, and MCP tools by Claude Code's names. Whatever else it has gets a name of its
 * own, so that a tool which somebody calls `read_file` isn't taken for the one that the policy knows.
 */
import { defined } from '../../core/defined.ts'
import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import type { HookEvent, MadeCall, UnreadableEvent, WantedCall } from '../hook-event.ts'
import { objectOf, readToolHookEvent, textOf } from '../tool-hook-event.ts'

export const CODEX = 'codex'

const PHASES = {
  PreToolUse: 'before',
  PermissionRequest: 'asked',
  PostToolUse: 'after',
  Stop: 'over',
  Interrupt: 'over',
  SessionEnd: 'over',
} as const

const EDITED = /^(?:Bash|apply_patch)$/
const KNOWN = /^(?:Bash|apply_patch|mcp__.+)$/s

export function readCodexEvent(event: JsonValue): HookEvent | UnreadableEvent {
  return readToolHookEvent(event, { agent: CODEX, phases: PHASES, wanted, outcome })
}

function wanted(
  tool: string,
  input: JsonObject,
  phase: WantedCall['phase'],
): Pick<WantedCall, 'tool' | 'arguments' | 'can' | 'context'> {
  // Other arguments are known to be run for these alone, and an answer to its own question can't carry any.
  const can = { edit: EDITED.test(tool) && phase === 'before', terminate: false }
  const name = KNOWN.test(tool) ? tool : `${CODEX}__${tool}`
  if (phase === 'before' || tool !== 'Bash') return { tool: name, arguments: input, can }
  // Its own question has the agent's words among the arguments, which the call itself doesn't.
  const { description, ...args } = input
  return { tool: name, arguments: args, can, ...defined({ context: textOf(description) }) }
}

/** Of a command it hands over the output and no exit code. The answer of an MCP tool says whether it was an error. */
function outcome(_: string, { tool_response }: JsonObject): MadeCall['outcome'] {
  const answer = objectOf(tool_response)
  if (answer?.isError === true || answer?.is_error === true || (answer?.exit_code ?? 0) !== 0)
    return { ok: false, summary: 'Codex reported an error' }
  return answer === undefined ? { ok: true, summary: UNTOLD } : { ok: true }
}

const UNTOLD = 'It ended. Codex doesn’t tell whether the command went well.'
