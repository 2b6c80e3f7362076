/**
 * The parts of the Claude Agent SDK that the adapter uses, as shapes: `options` of its `query` take what is made here. The SDK is
 * never imported, so any version whose hooks have these members works.
 */
import type { JsonObject } from '../../core/json/json.ts'

export interface ClaudeHooks {
  PreToolUse: ClaudeMatcher[]
  PostToolUse: ClaudeMatcher[]
  PostToolUseFailure: ClaudeMatcher[]
  PermissionDenied: ClaudeMatcher[]
  PostToolBatch: ClaudeMatcher[]
}

export interface ClaudeMatcher {
  hooks: ClaudeHook[]
  /** In seconds. */
  timeout?: number
  onFailure?: 'block'
}

/** `event` comes from another process. It is checked before anything of it is used. */
export type ClaudeHook = (
  event: unknown,
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => Promise<ClaudeHookAnswer>

export interface ClaudeHookAnswer {
  /** False ends the turn: the model isn't called again. */
  continue?: boolean
  stopReason?: string
  hookSpecificOutput?: PreToolUseAnswer
}

export interface PreToolUseAnswer {
  hookEventName: 'PreToolUse'
  permissionDecision: 'allow' | 'deny'
  permissionDecisionReason?: string
  updatedInput?: Record<string, unknown>
  additionalContext?: string
}

export type ClaudeCanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: { toolUseID: string },
) => Promise<
  { behavior: 'allow'; updatedInput: Record<string, unknown> } | { behavior: 'deny'; message: string }
>

/** A tool call as a hook tells of it. */
export interface ToolEvent {
  tool: string
  input: JsonObject
  toolUseId: string
  sessionId: string
  cwd: string | undefined
  /** Of a sub-agent. */
  agentId: string | undefined
  agentType: string | undefined
}

/** Undefined: it isn't what the SDK documents, so nothing can be said of it. */
export function readToolEvent(event: unknown): ToolEvent | undefined {
  const { tool_name, tool_input, tool_use_id, session_id, cwd, agent_id, agent_type } = membersOf(event)
  const isCall =
    typeof tool_name === 'string' && typeof tool_use_id === 'string' && typeof session_id === 'string'
  if (!isCall || !isObject(tool_input)) return undefined
  return {
    tool: tool_name,
    input: tool_input as JsonObject,
    toolUseId: tool_use_id,
    sessionId: session_id,
    cwd: textOf(cwd),
    agentId: textOf(agent_id),
    agentType: textOf(agent_type),
  }
}

export function membersOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
