/**
 * Progress: a fold over what was told of a turn. The log is told first, then the events that are in memory: they repeat a part of
 * it and add what the log doesn't have, such as which calls run and what sub-agents do. So telling something twice changes nothing.
 */
import { contentOf } from '../../../core/call.ts'
import type { TurnEntry, TurnEvent } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import type { ProgressCall, ProgressWaiting, SessionProgress, TurnProgress } from '../../../core/progress.ts'
import type { SessionHostParts } from '../host-parts.ts'
import type { HostedSession } from '../hosted-session.ts'
import { replayTurns } from './replay-turns.ts'

const MAX_SAID = 5
const MAX_CALLS = 10
/** Of each text. */
const MAX_CHARACTERS = 1000

/** What waits for people in the session and in what it started. */
export async function waitingIn(
  gateway: SessionHostParts['gateway'],
  { session, actor }: HostedSession,
): Promise<ProgressWaiting[]> {
  const items = (await gateway.waiting(session, actor))?.items ?? []
  return items.map(({ request: { id, kind, callId, tool, session: of, bytes, createdAt } }) => ({
    session: of,
    request: id,
    kind,
    call: callId,
    tool,
    arguments: contentOf(bytes).arguments,
    since: createdAt,
  }))
}

/** Of the newest turn, unless it says of which. */
export function progressOf(
  hosted: HostedSession,
  waiting: ProgressWaiting[],
  wanted?: string,
): SessionProgress {
  const { session, agent, log, events } = hosted
  const begun = log.entries.findLast(
    (entry) => entry.kind === 'begun' && (wanted === undefined || entry.turn === wanted),
  )
  const turn = begun?.kind === 'begun' ? begun.turn : undefined
  const about = { session, agent }
  if (turn === undefined) return { ...about, state: 'idle' }
  const entries = log.of(turn)
  const told = [
    ...replayTurns({ session, agent, from: turn, entries, calls: newestCalls(entries) }),
    ...events.kept().filter((event) => event.turn === turn),
  ]
  const folded = foldTurn(session, turn, told, waiting)
  if (folded.ended !== undefined) return { ...about, state: 'idle', turn: { ...folded, waiting: [] } }
  return { ...about, state: waiting.length > 0 ? 'waiting' : 'running', turn: folded }
}

/** Nobody is told the arguments of those before, and to read all that a long turn has written takes long. */
function newestCalls(entries: readonly TurnEntry[]): ReadonlySet<string> {
  const calls = entries.flatMap((entry) => (entry.kind === 'answered' ? entry.calls : []))
  return new Set(calls.slice(-MAX_CALLS).map(({ id }) => id))
}

function foldTurn(
  session: string,
  id: string,
  events: readonly TurnEvent[],
  waiting: ProgressWaiting[],
): TurnProgress {
  const calls = new Map<string, ProgressCall>()
  const said = new Map<string, string>()
  const turn: TurnProgress = {
    id,
    text: '',
    by: '',
    begunAt: 0,
    since: 0,
    steps: 0,
    said: [],
    calls: 0,
    recent: [],
    waiting,
  }
  for (const event of events) {
    if (turn.begunAt === 0) turn.begunAt = event.at
    turn.since = Math.max(turn.since, event.at)
    takeCall(calls, event)
    const isOwn = event.session === session
    if (event.kind === 'turn_begun') Object.assign(turn, { text: event.text, by: event.by })
    if (event.kind === 'model_answered' && isOwn) {
      turn.steps = Math.max(turn.steps, event.step)
      if (event.text !== '') said.set(String(event.step), cut(event.text))
    }
    if (event.kind === 'turn_ended' && isOwn) {
      const { at, status, text, reason, usage } = event
      turn.ended = {
        at,
        status,
        text: cut(text),
        ...defined({ reason: reason === undefined ? undefined : cut(reason) }),
        usage,
      }
    }
  }
  for (const { session: of, call, since } of waiting) {
    const found = calls.get(keyOf(of, call))
    if (found !== undefined) Object.assign(found, { state: 'waiting', since })
  }
  if (turn.ended !== undefined) closeCalls(calls)
  turn.said = [...said.values()].slice(-MAX_SAID)
  turn.calls = calls.size
  turn.recent = [...calls.values()].slice(-MAX_CALLS)
  return turn
}

function takeCall(calls: Map<string, ProgressCall>, event: TurnEvent): void {
  const state = stateOf(event)
  if (state === undefined || !('call' in event)) return
  const { session, call, tool, at } = event
  const key = keyOf(session, call)
  const known = calls.get(key)
  const args = 'arguments' in event ? event.arguments : (known?.arguments ?? {})
  // A question of the loop's own has no call of the model's.
  if (known === undefined && state === 'waiting') return
  const since = known?.state === state ? known.since : at
  calls.set(key, { session, call, tool, arguments: args, state, since })
}

/** A turn that is over has no open calls, also where nothing was told of their end: what waited didn't run, and what ran was cut off. */
function closeCalls(calls: ReadonlyMap<string, ProgressCall>): void {
  for (const call of calls.values()) {
    if (call.state === 'proposed' || call.state === 'waiting') call.state = 'refused'
    if (call.state === 'running') call.state = 'failed'
  }
}

function stateOf(event: TurnEvent): ProgressCall['state'] | undefined {
  switch (event.kind) {
    case 'call_proposed':
      return 'proposed'
    case 'call_waiting':
      return 'waiting'
    case 'call_started':
      return 'running'
    case 'call_finished':
      return event.ok ? 'done' : 'failed'
    case 'call_refused':
      return 'refused'
    case 'call_answered':
      return 'answered'
    default:
      return undefined
  }
}

function keyOf(session: string, call: string): string {
  return JSON.stringify([session, call])
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`
}
