/**
 * The coding sessions of this person and how far each is. The list is read anew when something has happened; how far the running
 * ones are, every few seconds by whoever shows them. What is shown keeps its place: only new ones come on top.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type ServerCalls,
  type WireCoding,
  type WireProgress,
  type WireSession,
} from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import { createKeptPlaces } from './kept-places.ts'

export type CodingRow = WireSession & { coding: WireCoding }

export interface SeenProgress {
  progress: WireProgress
  /** When it came, by this browser's clock. */
  at: number
}

export interface SessionBoard {
  /** Undefined until they are here. */
  readonly sessions: ReadonlySignal<readonly CodingRow[] | undefined>
  /** Why the last reading failed. */
  readonly failure: ReadonlySignal<ClientError | undefined>
  readonly progress: ReadonlySignal<ReadonlyMap<string, SeenProgress>>
  /** Whether a turn runs in one of them. */
  isActive(): boolean
  refresh(): Promise<void>
  /** The newest activity first again: for a moment in which nobody is about to press anything. */
  arrange(): void
  close(): void
}

export interface SessionBoardParts {
  client: Pick<ServerCalls, 'sessions' | 'progress'>
  /** Those of this person that are open; closed ones, too; or, for admins, those of everybody. */
  which: BoardChoice
  now(): number
  onRefused: (error: ClientError) => void
}

export type BoardChoice = 'open' | 'all' | 'everyone'

/** So many are listed at most. */
const PAGE = 100
const MAX_PAGES = 5
/** So many are asked how far they are, so many at once. */
const MOST_READ = 40
const AT_ONCE = 4

export function createSessionBoard({ client, which, now, onRefused }: SessionBoardParts): SessionBoard {
  const sessions = signal<readonly CodingRow[] | undefined>(undefined)
  const failure = signal<ClientError | undefined>(undefined)
  const progress = signal<ReadonlyMap<string, SeenProgress>>(new Map())
  const closing = new AbortController()
  const { signal: over } = closing
  /** How each was listed when its progress was last read. */
  const readAs = new Map<string, string>()
  const places = createKeptPlaces(activityOf)
  let reading = 0

  function put(rows: readonly CodingRow[]): void {
    sessions.value = places.arrange(rows)
  }

  function activityOf({ id, coding: { lastAt } }: CodingRow): number {
    const since = progress.peek().get(id)?.progress.turn?.since
    return Math.max(Date.parse(lastAt), since === undefined ? 0 : Date.parse(since))
  }

  async function list(): Promise<CodingRow[]> {
    const found: CodingRow[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = {
        coding: true,
        mine: which !== 'everyone',
        closed: which === 'all',
        limit: PAGE,
        ...defined({ cursor }),
      }
      const answer = await client.sessions(query, { signal: over })
      found.push(...answer.items.filter(isCoding))
      cursor = answer.cursor
      if (cursor === undefined) break
    }
    return found
  }

  async function refresh(): Promise<void> {
    const mine = ++reading
    try {
      const rows = await list()
      if (mine !== reading) return
      put(rows)
      failure.value = undefined
      await readProgress((sessions.peek() ?? []).slice(0, MOST_READ).filter(needsReading))
    } catch (error) {
      if (over.aborted || mine !== reading) return
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) onRefused(error)
      else failure.value = error
    }
  }

  /** One at rest says the same as before. */
  function needsReading(row: CodingRow): boolean {
    return isAtWork(row) || readAs.get(row.id) !== listedAs(row)
  }

  async function readProgress(rows: readonly CodingRow[]): Promise<void> {
    const waiting = [...rows]
    const read = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { id } = next
        try {
          const found = await client.progress(id, { signal: over })
          progress.value = new Map(progress.peek()).set(id, { progress: found, at: now() })
          readAs.set(id, listedAs(next))
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
    if (sessions.peek() === undefined) return
    places.forget()
    put(sessions.peek() ?? [])
  }

  return {
    sessions,
    failure,
    progress,
    isActive: () => sessions.peek()?.some(isAtWork) ?? false,
    refresh,
    arrange,
    close: () => closing.abort(),
  }
}

export function isCoding<Row extends WireSession>(row: Row): row is Row & { coding: WireCoding } {
  return row.coding !== undefined
}

function listedAs({ coding: { state, lastAt } }: CodingRow): string {
  return `${state} ${lastAt}`
}

export function isAtWork({ coding: { state } }: CodingRow): boolean {
  return state === 'running' || state === 'waiting'
}
