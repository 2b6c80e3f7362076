/**
 * A tool call on the wire both ways. Arguments are always sent, also when there are none; `tool_call_id` is ours, so that a
 * hook can tell two equal calls of one step apart.
 */
import { canonicalize, type JsonObject } from '../../../../core/json/json.ts'
import type { HookCall } from '../../hook.ts'
import { nameAt, optionalObject, type WireMembers } from './fields.ts'

export function toolCallToWire({ tool, arguments: args, callId }: HookCall) {
  return { tool, arguments: args, tool_call_id: callId }
}

/** It replaces: without arguments there are none. */
export function toolCallFromWire(members: WireMembers, at: string): { tool: string; arguments: JsonObject } {
  return {
    tool: nameAt(members, 'tool', at),
    arguments: (optionalObject(members, 'arguments', at) ?? {}) as JsonObject,
  }
}

export function isSameToolCall(
  one: { tool: string; arguments: JsonObject },
  other: { tool: string; arguments: JsonObject },
): boolean {
  return one.tool === other.tool && canonicalize(one.arguments) === canonicalize(other.arguments)
}
