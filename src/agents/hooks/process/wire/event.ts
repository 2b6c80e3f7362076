/**
 * An event as a notification, in either generation. Payloads have their keys as the programs that exist know them,
 * durations are nanoseconds and lengths are bytes. `event` and `about` (`Event` and `About` in the first generation) are ours:
 * the event and its turn in our own words, which is what `runHook` gives to a hook.
 */

import type { TurnEvent, TurnStatus } from '../../../../core/conversation.ts'
import { defined } from '../../../../core/defined.ts'
import type { EventContext } from '../../../sessions/engine.ts'
import { metaOf, SOURCE, turnId } from './context.ts'
import { AGENT_KINDS, type AgentKind, type Generation, KIND_OF } from './event-kinds.ts'

export interface WireNotification {
  method: 'hook.event' | 'hook.runtime_event'
  params: Readonly<Record<string, unknown>>
}

/** Undefined for what hooks outside this process are not told. */
export function eventToWire(
  event: TurnEvent,
  generation: Generation,
  about?: EventContext,
): WireNotification | undefined {
  const kind = KIND_OF[event.kind]
  if (kind === undefined) return undefined
  const { id, agent, session, turn, at } = event
  const { by = '', origin, parentTurn, message = '' } = about ?? {}
  const step = 'step' in event ? event.step : (about?.step ?? 0)
  const trace = TRACE_PATHS[kind] ?? kind
  const meta = metaOf({ agent, session, turn, step, ...defined({ parentTurn }) }, trace)
  const { channel = '', conversation = '' } = origin ?? {}
  const time = new Date(at).toISOString()
  const payload = payloadOf(event, message)
  if (generation === 'a') {
    const hasPlace = event.kind === 'turn_begun' && about !== undefined
    const place = hasPlace ? { Channel: channel, ChatID: conversation } : {}
    return {
      method: 'hook.event',
      params: {
        ...{ Kind: NUMBERS.get(kind), Time: time, Meta: meta, Payload: { ...place, ...payload } },
        Event: event,
        ...defined({ About: about }),
      },
    }
  }
  const request = 'request' in event ? event.request : undefined
  return {
    method: 'hook.runtime_event',
    params: {
      id,
      kind,
      time,
      source: { component: 'agent', name: agent.name },
      scope: {
        ...{ agent_id: agent.name, session_key: session, turn_id: meta.TurnID },
        ...filled({ channel, chat_id: conversation, sender_id: by }),
      },
      correlation: {
        trace_id: trace,
        ...filled({ parent_turn_id: meta.ParentTurnID }),
        ...defined({ request_id: request }),
      },
      severity: severityOf(event),
      payload,
      attrs: { agent_source: SOURCE, iteration: step },
      event,
      ...defined({ about }),
    },
  }
}

/** Members that are empty are left out there. */
function filled(members: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''))
}

/** The event in our words, in the hook; undefined from a host that does not send it. */
export function eventFromWire(params: Readonly<Record<string, unknown>>): TurnEvent | undefined {
  const event = (params.event ?? params.Event) as TurnEvent | undefined | null
  return typeof event === 'object' && event !== null && typeof event.kind === 'string' ? event : undefined
}

/** Its turn in our words; undefined from a host that does not send it. */
export function eventContextFromWire(params: Readonly<Record<string, unknown>>): EventContext | undefined {
  const about = (params.about ?? params.About) as EventContext | undefined | null
  return typeof about === 'object' && about !== null && typeof about.step === 'number' ? about : undefined
}

const NUMBERS = new Map<AgentKind, number>(AGENT_KINDS.map(([kind], index) => [kind, index]))

const TRACE_PATHS: Partial<Record<AgentKind, string>> = {
  'agent.turn.start': 'turn.start',
  'agent.turn.end': 'turn.end',
  'agent.llm.request': 'turn.llm.request',
  'agent.llm.response': 'turn.llm.response',
  'agent.llm.retry': 'turn.llm.retry',
  'agent.tool.exec_start': 'turn.tool.start',
  'agent.tool.exec_end': 'turn.tool.end',
  'agent.tool.exec_skipped': 'turn.tool.skipped',
  'agent.tool.approval_pending': 'turn.tool.approve',
  'agent.steering.injected': 'turn.steering.injected',
  'agent.interrupt.received': 'turn.interrupt.received',
  'agent.error': 'turn.error',
}

function payloadOf(event: TurnEvent, message: string): Record<string, unknown> {
  switch (event.kind) {
    case 'turn_begun':
      return { UserMessage: event.text, MediaCount: 0 }
    case 'turn_ended':
      return {
        Status: STATUSES[event.status],
        Iterations: event.steps,
        Duration: nanoseconds(event.durationMs),
        FinalContentLen: bytes(event.text),
        UserMessage: message,
        FinalContent: event.text,
      }
    case 'model_called':
      return {
        Model: event.model,
        MessagesCount: event.messages,
        ToolsCount: event.tools,
        // Where the configuration has none it is the model's own, which nobody here knows.
        MaxTokens: event.maxTokens ?? 0,
        Temperature: event.temperature ?? 0,
      }
    case 'model_answered':
      return {
        ContentLen: bytes(event.text),
        ToolCalls: event.calls,
        HasReasoning: (event.reasoning ?? '') !== '',
      }
    case 'model_retried': {
      const { attempt, of, because, delayMs } = event
      return {
        Attempt: attempt,
        MaxRetries: of,
        Reason: because,
        Error: because,
        Backoff: nanoseconds(delayMs),
      }
    }
    case 'call_waiting': {
      const { tool, arguments: args, call, request } = event
      return {
        Tool: tool,
        ...defined({ Arguments: args }),
        ToolCallID: call,
        RequestID: request,
      }
    }
    case 'call_started':
      return { Tool: event.tool, Arguments: event.arguments, ToolCallID: event.call }
    case 'call_finished':
      return {
        Tool: event.tool,
        Duration: nanoseconds(event.durationMs),
        ForLLMLen: bytes(event.text),
        ForUserLen: 0,
        IsError: !event.ok,
        Async: false,
        ToolCallID: event.call,
      }
    case 'call_refused':
      return { Tool: event.tool, Reason: event.because, ToolCallID: event.call }
    case 'call_answered':
      return { Tool: event.tool, Reason: 'a person gave the result', ToolCallID: event.call }
    case 'steered':
      return { Count: 1, TotalContentLen: bytes(event.text) }
    case 'interrupted': {
      const kind = event.how === 'hard' ? 'hard_abort' : 'graceful'
      return { Kind: kind, Role: 'user', ContentLen: 0, QueueDepth: 0, HintLen: bytes(event.reason ?? '') }
    }
    case 'sub_began':
      return { AgentID: event.child, Label: event.task, ParentTurnID: turnId(event.agent.name, event.turn) }
    case 'sub_ended':
      return { AgentID: event.child, Status: STATUSES[event.status] }
    case 'failed':
      return { Stage: event.stage, Message: event.message }
    default:
      return {}
  }
}

/** There are only three over there. */
const STATUSES: Record<TurnStatus, 'completed' | 'error' | 'aborted'> = {
  completed: 'completed',
  limit: 'error',
  failed: 'error',
  interrupted: 'aborted',
  aborted: 'aborted',
  terminated: 'aborted',
}

function severityOf(event: TurnEvent): 'info' | 'warn' | 'error' {
  switch (event.kind) {
    case 'failed':
      return 'error'
    case 'turn_ended':
      return ({ completed: 'info', error: 'error', aborted: 'warn' } as const)[STATUSES[event.status]]
    case 'model_retried':
    case 'call_refused':
    case 'call_answered':
      return 'warn'
    case 'call_finished':
      return event.ok ? 'info' : 'warn'
    default:
      return 'info'
  }
}

function nanoseconds(ms: number): number {
  return Math.round(ms * 1e6)
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}
