/** The conversations of this person with our agent, the newest first. */

import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type ServerCalls,
  type WireRequest,
  type WireSessionRow,
} from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import { topSessionOf } from '../../../model/requests/session-titles.ts'

export interface ConversationList {
  /** Undefined until they are here. */
  readonly rows: ReadonlySignal<readonly WireSessionRow[] | undefined>
  readonly failure: ReadonlySignal<ClientError | undefined>
  readonly hasMore: ReadonlySignal<boolean>
  /** Sessions that were begun here: in these nothing can have been said before. */
  readonly fresh: Set<string>
  begin(random: RandomSource): string
  refresh(): Promise<void>
  /** Older ones, too. */
  more(): Promise<void>
  close(): void
}

export interface ConversationListParts {
  client: Pick<ServerCalls, 'sessions'>
  onRefused: (error: ClientError) => void
}

/** So many at a time. Sessions of other agents and of tasks are passed over, so more pages may be read for them. */
const WANTED = 30
const PAGE = 100
const MAX_PAGES = 20

export function createConversationList({ client, onRefused }: ConversationListParts): ConversationList {
  const rows = signal<readonly WireSessionRow[] | undefined>(undefined)
  const failure = signal<ClientError | undefined>(undefined)
  const hasMore = signal(false)
  const closing = new AbortController()
  const fresh = new Set<string>()
  let wanted = WANTED
  let reading = 0

  async function refresh(): Promise<void> {
    const mine = ++reading
    try {
      const found: WireSessionRow[] = []
      let cursor: string | undefined
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { mine: true, limit: PAGE, ...defined({ cursor }) }
        const answer = await client.sessions(query, { signal: closing.signal })
        found.push(...answer.items.filter(isConversation))
        cursor = answer.cursor
        if (cursor === undefined || found.length >= wanted) break
      }
      if (mine !== reading) return
      rows.value = found
        .toSorted((one, other) => Date.parse(other.lastAt) - Date.parse(one.lastAt))
        .slice(0, wanted)
      hasMore.value = cursor !== undefined || found.length > wanted
      failure.value = undefined
    } catch (error) {
      if (closing.signal.aborted) return
      if (!(error instanceof ClientError)) throw error
      if (isClientError(error, 'unauthenticated')) return onRefused(error)
      if (mine === reading) failure.value = error
    }
  }

  void refresh()
  return {
    rows,
    failure,
    hasMore,
    fresh,
    begin(random) {
      const session = newSession(random)
      fresh.add(session)
      return session
    },
    refresh,
    async more() {
      wanted += WANTED
      await refresh()
    },
    close: () => closing.abort(),
  }
}

export interface WaitingInSession {
  /** How many are for this person. */
  readonly yours: number
  /** All of them are questions, and no approval is wanted. */
  readonly waitsFor?: 'answer'
}

/** In which conversations requests wait; those of the agents that it started included. */
export function waitingBySession(pending: readonly WireRequest[]): ReadonlyMap<string, WaitingInSession> {
  const found = new Map<string, WaitingInSession>()
  for (const { session, kind, yours } of pending) {
    const top = topSessionOf(session)
    const before = found.get(top)
    const isAnswer = kind === 'question' && (before === undefined || before.waitsFor === 'answer')
    found.set(top, {
      yours: (before?.yours ?? 0) + (yours ? 1 : 0),
      ...(isAnswer ? { waitsFor: 'answer' } : {}),
    })
  }
  return found
}

/** A session with a beginning in words. A task of another is shown there, and coding sessions have a page of their own. */
function isConversation({ title, parent, coding }: WireSessionRow): boolean {
  return title !== undefined && parent === undefined && coding === undefined
}

/** Pages that came without encryption from another machine have no `randomUUID`. */
export type RandomSource = Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>>

/** A name that nobody else has. */
export function newSession(random: RandomSource): string {
  if (random.randomUUID !== undefined) return `chat-${random.randomUUID()}`
  const bytes = random.getRandomValues(new Uint8Array(16))
  return `chat-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
