/** Listening to a session: from a place in its event buffer on, or from the beginning of a turn where that place is gone. */
import type { TurnEvent } from '../../../core/conversation.ts'
import type { HostedSession, WaitingCall } from '../hosted-session.ts'
import { replayTurns } from './replay-turns.ts'

export interface FollowSessionOptions {
  /** The id of the last event seen. Absent: from now on. */
  after: string | undefined
  signal: AbortSignal | undefined
  isClosed: () => boolean
  now: () => number
}

export async function* followSession(
  hosted: HostedSession,
  following: FollowSessionOptions,
): AsyncGenerator<TurnEvent, void> {
  const { events } = hosted
  const { after, signal, isClosed, now } = following
  let n = after === undefined ? events.end() : events.positionAfter(after)
  if (n === undefined) n = yield* again(hosted, turnOf(after!), now)
  while (!isClosed() && signal?.aborted !== true) {
    if (events.isGone(n)) n = yield* again(hosted, hosted.log.unfinished() ?? '', now)
    const event = events.at(n)
    if (event === undefined) await events.more(signal)
    else {
      n++
      yield event
    }
  }
}

/** Tells from the beginning of the turn, and gives the place where the event buffer goes on. */
async function* again(
  hosted: HostedSession,
  from: string,
  now: () => number,
): AsyncGenerator<TurnEvent, number> {
  const { events, log, session, agent } = hosted
  const beginning = events.beginningOf(from)
  if (beginning !== undefined) return beginning
  // Taken together: what comes after the place is in the buffer, what came before it in the log.
  const n = events.end()
  const entries = [...log.entries]
  const waiting = waitingIn(hosted)
  const turn = hosted.running?.turn ?? log.unfinished() ?? from
  const unwritten = hosted.running === undefined ? [] : resultsToCome(hosted, hosted.running.turn)
  const ends = events.kept().filter((event) => event.kind === 'turn_ended' && event.session === session)
  for (const event of replayTurns({ session, agent, from, entries })) {
    // Who was told the end is known again by its id: there is nothing to wait for after it.
    const end = event.kind === 'turn_ended' ? ends.find((each) => each.turn === event.turn) : undefined
    yield end ?? event
  }
  for (const event of unwritten) yield event
  for (const [request, about] of waiting) {
    const body = { kind: 'call_waiting', request } as const
    yield { id: `${turn}-r${request}`, turn, session, agent, at: now(), ...about, ...body }
  }
  return n
}

function waitingIn({ running, awaited }: HostedSession): [string, WaitingCall][] {
  if (running !== undefined) return [...running.waiting]
  return [...awaited].flatMap(([request, { isWaiting, ...about }]) => (isWaiting ? [[request, about]] : []))
}

/** What came of a call is told first and written then: these were told, and are not yet in the log. */
function resultsToCome({ events, log, session }: HostedSession, turn: string): TurnEvent[] {
  const written = new Set(log.of(turn).flatMap((entry) => (entry.kind === 'result' ? [entry.call] : [])))
  return events.kept().filter((event) => {
    if (event.turn !== turn || event.session !== session) return false
    return RESULTS.has(event.kind) && 'call' in event && !written.has(event.call)
  })
}

const RESULTS: ReadonlySet<TurnEvent['kind']> = new Set(['call_finished', 'call_refused', 'call_answered'])

function turnOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')))
}
