/**
 * Hook events as Claude Code made them first and others took them over: `hook_event_name`, `session_id`, `tool_name`, `tool_input`,
 * `tool_use_id`. Which events an agent has, and what they mean, its own folder says.
 */
import type { AgentLineage } from '../core/call.ts'
import { defined } from '../core/defined.ts'
import type { JsonObject, JsonValue } from '../core/json/json.ts'
import type { HookEvent, MadeCall, UnreadableEvent, WantedCall } from './hook-event.ts'
import { isAbsoluteFolder, sessionOf } from './hook-event.ts'

export interface ToolHookDialect {
  agent: string
  /** What each event means. Those that are not listed are refused. */
  phases: Readonly<Record<string, HookEvent['phase']>>
  /** The call as the policy knows it, and what can be carried back for it. */
  wanted(
    tool: string,
    input: JsonObject,
    phase: WantedCall['phase'],
  ): Pick<WantedCall, 'tool' | 'arguments' | 'can' | 'context'>
  /** How a call ended, by the event that says so. */
  outcome(name: string, event: JsonObject): MadeCall['outcome']
}

export function readToolHookEvent(
  event: JsonValue,
  { agent, phases, wanted, outcome }: ToolHookDialect,
): HookEvent | UnreadableEvent {
  const members = objectOf(event)
  if (members === undefined) return { because: `a hook event must be an object; found ${kindOf(event)}` }
  const name = textOf(members.hook_event_name)
  const phase = name !== undefined && Object.hasOwn(phases, name) ? phases[name] : undefined
  if (name === undefined || phase === undefined) {
    const found = name === undefined ? kindOf(members.hook_event_name) : JSON.stringify(name.slice(0, 100))
    return {
      because: `hook_event_name must be one of ${Object.keys(phases).join(', ')}; found ${found}`,
    }
  }
  const refuse = (because: string): UnreadableEvent => ({
    ...(phase === 'before' || phase === 'asked' ? { phase } : {}),
    because: `Banksman can't read this ${name} event: ${because}`,
  })
  const sessionId = textOf(members.session_id)
  if (sessionId === undefined) return refuse(missing('session_id', members.session_id))
  const session = sessionOf(agent, sessionId)
  if (phase === 'over') return { phase, agent, session }

  const tool = textOf(members.tool_name)
  if (tool === undefined) return refuse(missing('tool_name', members.tool_name))
  const callId = textOf(members.tool_use_id)
  if (members.tool_use_id !== undefined && callId === undefined)
    return refuse(missing('tool_use_id', members.tool_use_id))
  const input = objectOf(members.tool_input)
  if (phase === 'after') {
    const made = input === undefined ? { tool, arguments: undefined } : wanted(tool, input, 'before')
    return {
      phase,
      agent,
      session,
      tool: made.tool,
      outcome: outcome(name, members),
      ...defined({ callId, arguments: made.arguments }),
    }
  }
  if (input === undefined) return refuse(`tool_input must be an object; found ${kindOf(members.tool_input)}`)
  // Only the agent's own question comes without an id: a call that is about to be made has one.
  if (phase === 'before' && callId === undefined) return refuse(missing('tool_use_id', members.tool_use_id))
  const { cwd } = members
  if (!isAbsoluteFolder(cwd)) return refuse('cwd must be the absolute path of a folder')
  return {
    phase,
    agent,
    session,
    ...wanted(tool, input, phase),
    given: input,
    cwd,
    lineage: lineageOf(agent, members),
    ...defined({ callId }),
  }
}

/** A sub-agent is named by its kind, below the agent itself. */
function lineageOf(agent: string, { agent_id, agent_type }: JsonObject): AgentLineage {
  if (textOf(agent_id) === undefined) return { name: agent }
  return { name: textOf(agent_type) ?? 'sub-agent', parents: [agent] }
}

export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** Empty is as good as absent. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return value === '' ? 'an empty text' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

const MAX_SUMMARY = 500

/** A few words of what an agent says, for people. */
export function briefly(value: JsonValue | undefined): string | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  return text.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)}…` : text
}

function missing(name: string, value: JsonValue | undefined): string {
  return `${name} must be a text that is not empty; found ${kindOf(value)}`
}
