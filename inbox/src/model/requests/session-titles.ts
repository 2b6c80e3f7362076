/**
 * How a conversation is called: by the first words that were said in it. A session that an agent of somebody else's named keeps its
 * name. Whether the reader may know the words, the server says (P6): it is asked once for a session, when a row of it is drawn.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type ServerCalls,
  type WireRequest,
} from '../../../../src/client/index.ts'
import { visible } from '../text/visible-line.ts'

export interface SessionTitles {
  /** Undefined where there is none, or it is not known yet. To be read while drawing: what comes later draws again. */
  titleOf(request: Pick<WireRequest, 'session' | 'origin'>): string | undefined
  /** What is known of it already; nothing is asked for. */
  knownTitleOf(request: Pick<WireRequest, 'session'>): string | undefined
  close(): void
}

type TitleSignal = ReadonlySignal<string | undefined>

/** More is not read in a list. */
const LONGEST = 80
/** A coding session is opened before anything is said in it. */
const FIRST_ENTRIES = 3
/** As few as not to hold up what somebody waits for. */
const AT_ONCE = 2
/** Enough for a day; the oldest are asked for again. */
const KEPT = 2000

export function createSessionTitles({ client }: { client: Pick<ServerCalls, 'turns'> }): SessionTitles {
  const known = new Map<string, TitleSignal>()
  const waiting: (() => Promise<void>)[] = []
  const closing = new AbortController()
  let underWay = 0
  /** A server without an agent of ours has no conversations. */
  let hasNone = false

  function titleSignal(session: string): TitleSignal {
    const found = known.get(session)
    if (found !== undefined) return found
    const title = signal<string | undefined>(undefined)
    known.set(session, title)
    const [oldest] = known.keys()
    if (known.size > KEPT && oldest !== undefined) known.delete(oldest)
    waiting.push(async () => {
      title.value = await read(session)
    })
    work()
    return title
  }

  function work(): void {
    while (underWay < AT_ONCE) {
      const next = waiting.shift()
      if (next === undefined) return
      underWay++
      void next().finally(() => {
        underWay--
        work()
      })
    }
  }

  async function read(session: string): Promise<string | undefined> {
    if (hasNone || closing.signal.aborted) return undefined
    try {
      const { items } = await client.turns(session, { limit: FIRST_ENTRIES }, { signal: closing.signal })
      const first = items.find((entry) => entry.kind === 'begun')
      return first === undefined ? undefined : titleFrom(first.text)
    } catch (error) {
      if (isClientError(error, 'unknown_route')) hasNone = true
      // It may be asked for again when the server is there.
      else if (isClientError(error, 'unreachable')) known.delete(session)
      if (!(error instanceof ClientError) && !closing.signal.aborted) throw error
      return undefined
    }
  }

  return {
    titleOf: (request) =>
      isOfOurs(request) && !hasNone ? titleSignal(topSessionOf(request.session)).value : undefined,
    knownTitleOf: ({ session }) => known.get(topSessionOf(session))?.peek(),
    close: () => closing.abort(),
  }
}

/** What somebody says to an agent of ours has an origin, a coding session and one begun in the inbox a name of ours; others have no words to read. */
function isOfOurs({ session, origin }: Pick<WireRequest, 'session' | 'origin'>): boolean {
  return origin !== undefined || /^(ses_|chat-[0-9a-f-]{32})/.test(session)
}

/** An agent below has the name of its call behind that of the session: `chat-1.t2.1.0`, and so on further down. */
export function topSessionOf(session: string): string {
  return session.replace(/(\.t\d+\.\d+\.\d+)+$/, '')
}

function titleFrom(text: string): string | undefined {
  const letters = [
    ...text
      .slice(0, 50 * LONGEST)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
  if (letters.length === 0) return undefined
  const start = visible(letters.slice(0, LONGEST).join(''))
  return letters.length > LONGEST ? `${start}…` : start
}
