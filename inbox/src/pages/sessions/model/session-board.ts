/**
 * The coding sessions of this person and how far each is. The list is read anew when something has happened; how far the running
 * ones are, every few seconds by whoever shows them. What is shown keeps its place: only new ones come on top.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Client, ClientError, isClientError } from '../../../../../src/client/index.ts'
import type { WireCodingProgress, WireCodingSession } from './session-wire.ts'

export interface SeenProgress {
  progress: WireCodingProgress
  /** When it came, by this browser's clock. */
  at: number
}

export type SessionBoardState =
  | { kind: 'loading' }
  /** The server has no coding sessions. */
  | { kind: 'absent' }
  | { kind: 'listed'; sessions: readonly WireCodingSession[] }

export interface SessionBoard {
  readonly state: ReadonlySignal<SessionBoardState>
  /** Why the last reading failed. */
  readonly failure: ReadonlySignal<ClientError | undefined>
  readonly progress: ReadonlySignal<ReadonlyMap<string, SeenProgress>>
  /** Whether a turn runs in one of them. */
  readonly isActive: () => boolean
  refresh(): Promise<void>
  /** The newest activity first again: for a moment in which nobody is about to press anything. */
  arrange(): void
  close(): void
}

export interface SessionBoardParts {
  client: Pick<Client, 'codingSessions' | 'codingProgress'>
  /** Closed ones, too. */
  closed: boolean
  now(): number
  onRefused: (error: ClientError) => void
}

/** So many are asked how far they are, so many at once. */
const MOST_READ = 40
const AT_ONCE = 4

export function createSessionBoard({ client, closed, now, onRefused }: SessionBoardParts): SessionBoard {
  const state = signal<SessionBoardState>({ kind: 'loading' })
  const failure = signal<ClientError | undefined>(undefined)
  const progress = signal<ReadonlyMap<string, SeenProgress>>(new Map())
  const closing = new AbortController()
  const { signal: over } = closing
  let reading = 0
  let order: readonly string[] = []

  function put(sessions: readonly WireCodingSession[]): void {
    const byActivity = sessions.toSorted((one, other) => activityOf(other) - activityOf(one))
    const known = new Set(order)
    order = [...byActivity.filter(({ id }) => !known.has(id)).map(({ id }) => id), ...order]
    const places = new Map(order.map((id, place) => [id, place]))
    state.value = {
      kind: 'listed',
      sessions: sessions.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!),
    }
  }

  function activityOf({ id, lastAt }: WireCodingSession): number {
    const since = progress.peek().get(id)?.progress.turn?.since
    return Math.max(Date.parse(lastAt), since === undefined ? 0 : Date.parse(since))
  }

  async function refresh(): Promise<void> {
    const mine = ++reading
    try {
      const { items } = await client.codingSessions({ closed }, { signal: over })
      if (mine !== reading) return
      put(items)
      failure.value = undefined
      await readProgress(items.filter(needsReading))
    } catch (error) {
      if (over.aborted || mine !== reading) return
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) onRefused(error)
      else if (isClientError(error, 'unknown_route')) state.value = { kind: 'absent' }
      else failure.value = error
    }
  }

  /** One at rest says the same as before. */
  function needsReading(session: WireCodingSession, place: number): boolean {
    if (place >= MOST_READ) return false
    const before = progress.peek().get(session.id)
    if (before === undefined || isAtWork(session)) return true
    const { turn } = before.progress
    return (turn !== undefined && turn.ended === undefined) || before.at < Date.parse(session.lastAt)
  }

  async function readProgress(sessions: readonly WireCodingSession[]): Promise<void> {
    const waiting = [...sessions]
    const read = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { id } = next
        try {
          const found = await client.codingProgress(id, { signal: over })
          progress.value = new Map(progress.peek()).set(id, { progress: found, at: now() })
        } catch (error) {
          // It was erased or given away meanwhile; the list says so next time.
          if (!isClientError(error, 'unknown_id')) throw error
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, read))
  }

  void refresh().then(() => {
    // Only now it is known when something last happened in each.
    if (!over.aborted) arrange()
  })

  function arrange(): void {
    const current = state.peek()
    if (current.kind !== 'listed') return
    order = []
    put(current.sessions)
  }

  return {
    state,
    failure,
    progress,
    isActive() {
      const current = state.peek()
      return current.kind === 'listed' && current.sessions.some(isAtWork)
    },
    refresh,
    arrange,
    close: () => closing.abort(),
  }
}

function isAtWork({ state }: WireCodingSession): boolean {
  return state === 'running' || state === 'waiting'
}
