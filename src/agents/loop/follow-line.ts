/** Listening to a session: from a place in its book on, or from the beginning of a turn where that place is gone. */
import type { TurnEvent } from '../../core/conversation.ts'
import type { Line } from './line.ts'
import { tellAgain } from './tell-again.ts'

export interface Following {
  /** The id of the last event seen. Absent: from now on. */
  after: string | undefined
  signal: AbortSignal | undefined
  isClosed: () => boolean
  now: () => number
}

export async function* followLine(line: Line, following: Following): AsyncGenerator<TurnEvent, void> {
  const { book } = line
  const { after, signal, isClosed, now } = following
  let n = after === undefined ? book.end() : book.positionAfter(after)
  if (n === undefined) n = yield* again(line, turnOf(after!), now)
  while (!isClosed() && signal?.aborted !== true) {
    if (book.isGone(n)) n = yield* again(line, line.running?.turn ?? '', now)
    const event = book.at(n)
    if (event === undefined) await book.more(signal)
    else {
      n++
      yield event
    }
  }
}

/** Tells from the beginning of the turn, and gives the place where the book goes on. */
async function* again(line: Line, from: string, now: () => number): AsyncGenerator<TurnEvent, number> {
  const { book, log, session, agent } = line
  const beginning = book.beginningOf(from)
  if (beginning !== undefined) return beginning
  // Taken together: what comes after the place is in the book, what came before it in the log.
  const n = book.end()
  const entries = [...log.entries]
  const waiting = [...(line.running?.waiting ?? [])]
  const turn = line.running?.turn ?? from
  yield* tellAgain({ session, agent, from, entries })
  for (const [request, about] of waiting) {
    const body = { kind: 'call_waiting', ...about, request } as const
    yield { id: `${turn}-r${request}`, turn, session, agent, at: now(), ...body }
  }
  return n
}

function turnOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')))
}
