/**
 * The conversation that is open: reads what was kept of it, follows what happens, and sends what the person says.
 *
 * The last turn is not read but told: listening begins at its beginning, so nothing that happens between the reading and the
 * listening is missed. A session in which nothing was said yet is known to nobody; it begins with the first words.
 */

import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import {
  ClientError,
  isClientError,
  type ServerCalls,
  type WireTurnEntry,
} from '../../../../../src/client/index.ts'
import { defined } from '../../../../../src/core/defined.ts'
import type { ScheduleFrame } from '../../../model/requests/request-cache.ts'
import { createSessionControls, type SessionControls } from './session-controls.ts'
import { createTranscript, isToldFromLog, type Transcript } from './transcript.ts'

export type ConversationState =
  | { kind: 'loading' }
  /** Nobody has said anything yet. */
  | { kind: 'new' }
  | { kind: 'open' }
  | { kind: 'failed'; error: ClientError }

export interface SayOptions {
  /** Whom the first message is for, where there are several. */
  agent?: string
}

export interface Conversation extends SessionControls {
  readonly session: string
  readonly transcript: Transcript
  readonly state: ReadonlySignal<ConversationState>
  /** What happens is not heard just now. */
  readonly isLost: ReadonlySignal<boolean>
  readonly isSending: ReadonlySignal<boolean>
  /** True when it was heard. */
  say(text: string, options?: SayOptions): Promise<boolean>
  /** Reads what an agent below did. */
  readWork(child: string): Promise<void>
  /** Tries at once instead of waiting for the next try. */
  hurry(): void
  close(): void
}

export interface ConversationParts {
  client: ServerCalls
  session: string
  /** Who talks here. */
  subject: string
  /** Sessions in which nobody can have said anything yet. */
  fresh?: Set<string>
  soon: ScheduleFrame
  onRefused: (error: ClientError) => void
}

const PAGE = 200
/** Two hundred thousand entries: more than anybody reads, and an end to every reading. */
const MAX_PAGES = 1000

export function createConversation(parts: ConversationParts): Conversation {
  const { client, session, subject, fresh = new Set(), soon, onRefused } = parts
  const transcript = createTranscript({ session, soon })
  const state = signal<ConversationState>({ kind: fresh.has(session) ? 'new' : 'loading' })
  const isLost = signal(false)
  const isSending = signal(false)
  const closing = new AbortController()
  const { signal: closed } = closing
  const controls = createSessionControls({ client, session, subject, closed, onRefused })
  const { about, mishap, attempt, refresh } = controls
  let line = new AbortController()
  let cursor: string | undefined
  let isFollowing = false
  let isReadingSoon = false

  async function load(): Promise<void> {
    state.value = { kind: 'loading' }
    try {
      const last = await readKept()
      state.value = { kind: 'open' }
      void follow(last === undefined ? undefined : `${last}-0`)
      await refresh()
    } catch (error) {
      if (closed.aborted) return
      if (isClientError(error, 'unknown_id')) state.value = { kind: 'new' }
      else fail(error)
    }
  }

  /** Gives the last turn, which is left to be told. */
  async function readKept(): Promise<string | undefined> {
    let held: WireTurnEntry[] = []
    for await (const entry of entriesOf(session)) {
      if (entry.kind === 'begun') {
        for (const each of held) transcript.takeEntry(each)
        held = []
      }
      held.push(entry)
    }
    const last = held.find((entry) => entry.kind === 'begun')
    if (last !== undefined) transcript.hush(held)
    else for (const each of held) transcript.takeEntry(each)
    return last?.turn
  }

  async function* entriesOf(id: string): AsyncGenerator<WireTurnEntry, void> {
    let after: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { limit: PAGE, ...defined({ after }) }
      const { items, cursor: next } = await client.turns(id, query, { signal: closed })
      yield* items
      if (next === undefined) return
      after = next
    }
  }

  async function follow(after: string | undefined): Promise<void> {
    cursor = after
    isFollowing = true
    try {
      while (!closed.aborted) {
        line = new AbortController()
        const events = client.conversation(session, {
          ...defined({ after: cursor }),
          signal: line.signal,
          onStatus: ({ kind }) => {
            isLost.value = kind === 'lost'
          },
        })
        for await (const event of events) {
          cursor = event.id
          transcript.takeEvent(event)
          if (isToldFromLog(event.id)) readStarted()
        }
      }
    } catch (error) {
      fail(error)
    } finally {
      isFollowing = false
    }
  }

  /** What was kept of a turn does not say what the agents below are doing: their own logs do. */
  function readStarted(): void {
    if (isReadingSoon) return
    isReadingSoon = true
    soon(() => {
      isReadingSoon = false
      for (const child of transcript.maybeStarted()) void readWork(child)
    })
  }

  async function readWork(child: string): Promise<void> {
    transcript.markWork(child, 'reading')
    try {
      const entries: WireTurnEntry[] = []
      for await (const entry of entriesOf(child)) entries.push(entry)
      transcript.takeWork(child, entries)
    } catch (error) {
      if (closed.aborted) return
      if (!(error instanceof ClientError)) throw error
      transcript.markWork(child, isClientError(error, 'unknown_id') ? 'gone' : 'unread')
    }
  }

  function fail(error: unknown): void {
    if (closed.aborted) return
    if (!(error instanceof ClientError)) throw error
    if (isClientError(error, 'unauthenticated')) onRefused(error)
    else state.value = { kind: 'failed', error }
  }

  if (!fresh.has(session)) void load()
  // A turn that begins or ends is when most things change that are not told.
  const stopLooking = effect(() => {
    transcript.running.value
    if (state.peek().kind === 'open') untracked(() => void refresh())
  })

  return {
    ...controls,
    session,
    transcript,
    state,
    isLost,
    isSending,
    async say(text, { agent } = {}) {
      if (isSending.value) return false
      isSending.value = true
      // From here on somebody may have heard it.
      fresh.delete(session)
      const wasHeard = await attempt('say', async () => {
        const first = state.value.kind === 'new' ? defined({ agent }) : {}
        const { after } = await client.say(session, text, { signal: closed, ...first })
        if (state.value.kind !== 'open') state.value = { kind: 'open' }
        if (!isFollowing) void follow(after)
        if (about.value === undefined) void refresh()
      })
      isSending.value = false
      return wasHeard
    },
    readWork,
    hurry() {
      const { kind } = state.peek()
      if (kind === 'failed') void load()
      // The first words may have arrived although nobody said so.
      else if (kind === 'new' && mishap.peek()?.error.code === 'unreachable') void load()
      else if (isFollowing && isLost.peek()) line.abort()
    },
    close() {
      stopLooking()
      closing.abort()
      line.abort()
    },
  }
}
