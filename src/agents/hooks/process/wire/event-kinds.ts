/**
 * The kinds of events that hooks can observe: the dotted names of today, the older ones, the numbers of the first
 * generation, and which of ours each stands for. Configurations may name all kinds that the programs that exist know, also
 * those that never happen here.
 */
import type { TurnEvent } from '../../../../core/conversation.ts'

/** `a`: `hook.event` with numbers for kinds. `b`: `hook.runtime_event` with dotted names. */
export type Generation = 'a' | 'b'

/** In the order of their numbers in the first generation; the last is ours. */
export const AGENT_KINDS = [
  ['agent.turn.start', 'turn_start'],
  ['agent.turn.end', 'turn_end'],
  ['agent.llm.request', 'llm_request'],
  ['agent.llm.delta', 'llm_delta'],
  ['agent.llm.response', 'llm_response'],
  ['agent.llm.retry', 'llm_retry'],
  ['agent.context.compress', 'context_compress'],
  ['agent.session.summarize', 'session_summarize'],
  ['agent.tool.exec_start', 'tool_exec_start'],
  ['agent.tool.exec_end', 'tool_exec_end'],
  ['agent.tool.exec_skipped', 'tool_exec_skipped'],
  ['agent.steering.injected', 'steering_injected'],
  ['agent.follow_up.queued', 'follow_up_queued'],
  ['agent.interrupt.received', 'interrupt_received'],
  ['agent.subturn.spawn', 'subturn_spawn'],
  ['agent.subturn.end', 'subturn_end'],
  ['agent.subturn.result_delivered', 'subturn_result_delivered'],
  ['agent.subturn.orphan', 'subturn_orphan'],
  ['agent.error', 'error'],
  ['agent.tool.approval_pending', 'tool_approval_pending'],
] as const

export type AgentKind = (typeof AGENT_KINDS)[number][0]

/** Undefined: hooks outside this process are not told. */
export const KIND_OF: Record<TurnEvent['kind'], AgentKind | undefined> = {
  turn_begun: 'agent.turn.start',
  turn_ended: 'agent.turn.end',
  model_called: 'agent.llm.request',
  model_answered: 'agent.llm.response',
  model_retried: 'agent.llm.retry',
  call_waiting: 'agent.tool.approval_pending',
  call_started: 'agent.tool.exec_start',
  call_finished: 'agent.tool.exec_end',
  call_refused: 'agent.tool.exec_skipped',
  call_answered: 'agent.tool.exec_skipped',
  steered: 'agent.steering.injected',
  interrupted: 'agent.interrupt.received',
  sub_began: 'agent.subturn.spawn',
  sub_ended: 'agent.subturn.end',
  failed: 'agent.error',
  thinking: undefined,
  text: undefined,
  call_proposed: undefined,
  shown: undefined,
  observing: undefined,
}

/** Known, so that a configuration that names them is taken; nothing of the kind happens here. */
const ELSEWHERE = [
  ...['started', 'initialized', 'start_failed', 'stopped'].map((what) => `channel.lifecycle.${what}`),
  ...['registered', 'unregistered'].map((what) => `channel.webhook.${what}`),
  ...['outbound_queued', 'outbound_sent', 'outbound_failed'].map((what) => `channel.message.${what}`),
  'channel.rate_limited',
  'bus.publish.failed',
  ...['started', 'completed', 'drained'].map((what) => `bus.close.${what}`),
  ...['start', 'ready', 'shutdown'].map((what) => `gateway.${what}`),
  ...['started', 'completed', 'failed'].map((what) => `gateway.reload.${what}`),
  ...['connected', 'connecting', 'failed'].map((what) => `mcp.server.${what}`),
  'mcp.tool.discovered',
  ...['start', 'end'].map((what) => `mcp.tool.call.${what}`),
]

const EVERYTHING: readonly string[] = ['*', 'all', '']
const DOTTED = new Map<string, AgentKind>(
  AGENT_KINDS.flatMap(([kind, alias]) => [[kind, kind] as const, [alias, kind] as const]),
)
const ALIASES = new Set<string>(AGENT_KINDS.map(([, alias]) => alias))

/**
 * Which events a list of kinds asks for: `*`, `all` or an empty text for everything, dotted kinds, the older names, and our
 * own. An unknown one is an error that lists the known.
 */
export function matchesKind(observe: readonly string[]): (event: TurnEvent) => boolean {
  const wanted = new Set<string>()
  let isEverything = false
  for (const kind of observe) {
    const dotted = DOTTED.get(kind)
    if (EVERYTHING.includes(kind)) isEverything = true
    else if (dotted !== undefined) wanted.add(dotted)
    else if (Object.hasOwn(KIND_OF, kind)) wanted.add(kind)
    else if (!ELSEWHERE.includes(kind)) {
      const known = ['*', ...AGENT_KINDS.flat(), ...ELSEWHERE, ...Object.keys(KIND_OF)]
      throw new Error(`there is no event kind ${JSON.stringify(kind)}; there are ${known.join(', ')}`)
    }
  }
  if (isEverything) return () => true
  return ({ kind }) => wanted.has(kind) || wanted.has(KIND_OF[kind] ?? '')
}

/** Who asks for events by their older names alone was written for the first generation. */
export function generationOf(observe: readonly string[], configured?: Generation): Generation {
  if (configured !== undefined) return configured
  return observe.length > 0 && observe.every((kind) => ALIASES.has(kind)) ? 'a' : 'b'
}
