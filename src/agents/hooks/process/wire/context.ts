/**
 * Where a hook is consulted, on the wire. `meta` has its keys as the programs that exist know them. Channel and conversation
 * stand both under `context` and at the top: the one generation reads them here, the other there.
 */
import type { HookContext } from '../../hook.ts'
import { isMembers, type WireMembers } from './fields.ts'

export type Stage = 'before_llm' | 'after_llm' | 'before_tool' | 'after_tool' | 'approve_tool'

export const STAGES: readonly Stage[] = [
  'before_llm',
  'after_llm',
  'before_tool',
  'after_tool',
  'approve_tool',
]

const TRACE_PATHS: Record<Stage, string> = {
  before_llm: 'turn.llm.request',
  after_llm: 'turn.llm.response',
  before_tool: 'turn.tool.before',
  after_tool: 'turn.tool.after',
  approve_tool: 'turn.tool.approve',
}

export interface WireMeta {
  AgentID: string
  TurnID: string
  ParentTurnID: string
  SessionKey: string
  Iteration: number
  TracePath: string
  Source: string
}

export function metaOf(
  about: Pick<HookContext, 'agent' | 'turn' | 'parentTurn' | 'session' | 'step'>,
  tracePath: string,
): WireMeta {
  const { agent, turn, parentTurn, session, step } = about
  return {
    AgentID: agent.name,
    TurnID: turnId(agent.name, turn),
    ParentTurnID: parentTurn === undefined ? '' : turnId(agent.parents?.at(-1) ?? agent.name, parentTurn),
    SessionKey: session,
    Iteration: step,
    TracePath: tracePath,
    Source: SOURCE,
  }
}

export function contextToWire(about: HookContext, stage: Stage) {
  const { agent, by, origin } = about
  const channel = origin?.channel ?? ''
  const conversation = origin?.conversation ?? ''
  return {
    meta: metaOf(about, TRACE_PATHS[stage]),
    context: {
      inbound: { channel, chat_id: conversation, sender_id: by },
      route: { AgentID: agent.name, Channel: channel, AccountID: '', SessionPolicy: {}, MatchedBy: '' },
      scope: { version: 1, agent_id: agent.name, channel, account: '', dimensions: [], values: {} },
    },
    channel,
    chat_id: conversation,
  }
}

/** In the hook, from either generation. What is missing is empty: a hook need not fail over who asks. */
export function contextFromWire(params: WireMembers, signal: AbortSignal): HookContext {
  const meta = membersOf(params.meta)
  const inbound = membersOf(membersOf(params.context).inbound)
  const agent = textOf(meta.AgentID)
  const parentTurn = textOf(meta.ParentTurnID)
  const channel = textOf(inbound.channel) || textOf(params.channel)
  const conversation = textOf(inbound.chat_id) || textOf(params.chat_id)
  return {
    session: textOf(meta.SessionKey),
    turn: withoutAgent(textOf(meta.TurnID)),
    ...(parentTurn === '' ? {} : { parentTurn: withoutAgent(parentTurn) }),
    step: typeof meta.Iteration === 'number' ? meta.Iteration : 0,
    agent: { name: agent },
    ...(channel === '' ? {} : { origin: { channel, ...(conversation === '' ? {} : { conversation }) } }),
    by: textOf(inbound.sender_id),
    signal,
  }
}

export const SOURCE = 'runTurn'

export function turnId(agent: string, turn: string): string {
  return `${agent}-turn-${turn}`
}

function withoutAgent(id: string): string {
  const at = id.indexOf('-turn-')
  return at < 0 ? id : id.slice(at + '-turn-'.length)
}

function membersOf(value: unknown): WireMembers {
  return isMembers(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
