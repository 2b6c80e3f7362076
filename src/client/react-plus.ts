/**
 * A client for chats over server-sent events and REST, for browsers and Node. It is what a page of one's own is built on:
 * what the agent does comes as events, what it asks is answered by `respond`.
 *
 * However the network cuts the stream, the events are the same. When it breaks it is opened again after the last event
 * that was seen, after a pause that grows, until the turn has ended; what was said is never said twice. The server may tell
 * a turn again from its beginning, where it can't go on in the middle: that begins with `PROGRESS` and the stage `begun`.
 */

import { defined } from '../core/defined.ts'
import type { JsonObject } from '../core/json/json.ts'
import type { Clock } from '../core/time/clock.ts'
import { type ConnectionStatus, type EventsHost, readObject } from './stream/follow-stream.ts'
import { createSseParser, type SseParser } from './stream/sse-parser.ts'
import { createStreamConnection, isTransientError, pause } from './stream/stream-connection.ts'
import { backOffMs } from './transport/back-off.ts'
import { ClientError } from './transport/client-error.ts'
import { createTransport, type Fetch } from './transport/transport.ts'

export interface ReactPlusClientOptions {
  /** Where the server is. In a page of the server's own: `location.origin`. */
  url: string
  /** Absent: the page's cookie is sent, which the server takes where its configuration says so. */
  token?: string
  fetch?: Fetch
  /** `zh` or `en`. Absent: as the browser says, or Chinese. */
  language?: string
  clock?: Pick<Clock, 'after'>
  random?: () => number
}

export interface ReactPlusClient {
  /**
   * Says something and follows the turn to its end. Whoever says something while a turn runs steers it. Without `sessionId`
   * one is made up; every event tells it.
   */
  chat(said: { message: string; sessionId?: string } & FollowOptions): AsyncGenerator<ReactPlusEvent, void>
  /** Follows the turn that runs: after the event with this id, or from its beginning. */
  follow(place: { sessionId: string; after?: string } & FollowOptions): AsyncGenerator<ReactPlusEvent, void>
  /** Answers what was asked. Look at `success`: a refusal is an answer too, and says why. */
  respond(response: ReactPlusResponse, options?: { signal?: AbortSignal }): Promise<ReactPlusReceipt>
  messages(
    sessionId: string,
    page?: { after?: number; limit?: number; signal?: AbortSignal },
  ): Promise<ReactPlusHistory>
}

export interface FollowOptions {
  signal?: AbortSignal
  onStatus?: (status: ConnectionStatus) => void
}

export type ReactPlusEventType =
  | 'THINKING'
  | 'ACTING'
  | 'TOOL_APPROVAL'
  | 'TOOL'
  | 'OBSERVING'
  | 'COMPLETED'
  | 'ERROR'
  | 'PROGRESS'

export interface ReactPlusEvent {
  /** The place in the stream; the last one that was given, where an event has none of its own. */
  id: string
  /** A newer server may know types that are not listed. */
  type: ReactPlusEventType | (string & {})
  message: string | null
  data: JsonObject
  meta: JsonObject
  sessionId: string
  turnId: string
  messageId: string
  agentId: string
  startTime: string
  endTime: string | null
}

/** The data of `TOOL_APPROVAL`. */
export interface ReactPlusRequest {
  requestId: string
  sessionId: string
  type: 'TOOL_APPROVAL' | 'USER_CHOICE' | 'USER_INPUT'
  title: string
  message: string
  details: string | null
  context: { toolName: string; toolArgs: JsonObject; questions?: ReactPlusQuestion[] }
  options: ReactPlusOption[]
  required: boolean
  timeoutSeconds: number | null
  defaultOptionId: string | null
  createdAt: string
}

export interface ReactPlusOption {
  optionId: string
  label: string
  description: string | null
  action: string
  default: boolean
  dangerous: boolean
  /** An input is shown. `metadata.inputMayBeEmpty` says whether something must stand in it. */
  requiresInput: boolean
  inputPrompt: string | null
  metadata: { inputMayBeEmpty?: boolean }
}

export interface ReactPlusQuestion {
  id: string
  question: string
  header: string | null
  options: { label: string; description: string | null }[]
  multiSelect: boolean
  freeText: boolean
}

export interface ReactPlusResponse {
  sessionId: string
  requestId: string
  selectedOptionId: string
  feedback?: string | null
  /** `answers`, by question, to a question with several parts. */
  data?: JsonObject
}

export interface ReactPlusReceipt {
  success: boolean
  message: string
  sessionId: string | null
  timestamp: string
  /** Why not, for programs. */
  code?: string
}

export interface ReactPlusHistory {
  sessionId: string
  messages: ({ role: 'user' | 'assistant' | 'tool' | 'system'; content: string } & JsonObject)[]
  more: boolean
  /** Give it as `after` to read on. */
  next: number
  /** The turn that runs, which `follow` follows. */
  running: string | null
}

const PATH = ['api', 'agent', 'chat', 'react-plus'] as const

export function createReactPlusClient(options: ReactPlusClientOptions): ReactPlusClient {
  const { url, token, language, clock = realClock, random = Math.random } = options
  const send: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const transport = createTransport({
    url,
    ...defined({ token, language }),
    // Without a token the cookie of the page's own server is all there is.
    fetch: token === undefined ? (input, init) => send(input, { ...init, credentials: 'same-origin' }) : send,
  })
  const host = { transport, clock, random }

  return {
    chat: ({ message, sessionId = newSessionId(random), ...following }) =>
      followTurn(host, { sessionId, message }, '', following),
    follow: ({ sessionId, after = '', ...following }) => followTurn(host, { sessionId }, after, following),
    respond: (response, { signal } = {}) =>
      transport.json({ method: 'POST', path: [...PATH, 'interaction_response'], body: response, signal }),
    messages: (sessionId, { signal, ...query } = {}) =>
      transport.json({ path: [...PATH, sessionId, 'messages'], query, signal }),
  }
}

async function* followTurn(
  host: EventsHost,
  first: { sessionId: string; message?: string },
  after: string,
  { signal, onStatus }: FollowOptions,
): AsyncGenerator<ReactPlusEvent, void> {
  let body = first
  let cursor = after
  let failures = 0
  while (!signal?.aborted) {
    const line = createStreamConnection(host, signal)
    try {
      const stream = await line.open({
        method: 'POST',
        path: [...PATH, 'stream'],
        // This client has room for long frames, and wants what the model says as it says it.
        body: { ...body, buffered: true },
        headers: { 'last-event-id': cursor === '' ? undefined : cursor },
      })
      // It was said and heard: from here on it is only listened to.
      body = { sessionId: first.sessionId }
      onStatus?.({ kind: 'connected' })
      const parser = createSseParser()
      for await (const bytes of line.read(stream)) {
        failures = 0
        for (const event of eventsIn(parser, bytes, cursor, host.transport.url)) {
          cursor = event.id
          yield event
          if (isFinal(event) || signal?.aborted) return
        }
      }
      throw new ClientError({
        code: 'unreachable',
        detail: `${host.transport.url} closed the stream in the middle of a turn`,
      })
    } catch (error) {
      if (signal?.aborted) return
      // What was said may have been heard or not: saying it again could have it done twice.
      if (!(error instanceof ClientError) || !isTransientError(error) || body.message !== undefined)
        throw error
      failures++
      const retryInMs = backOffMs(failures, host.random())
      onStatus?.({ kind: 'lost', error, retryInMs })
      await pause(host.clock, retryInMs, signal)
    } finally {
      line.close()
    }
  }
}

function isFinal({ type, data }: ReactPlusEvent): boolean {
  return type === 'COMPLETED' || (type === 'ERROR' && data.final === true)
}

function* eventsIn(
  parser: SseParser,
  bytes: Uint8Array,
  cursor: string,
  url: string,
): Generator<ReactPlusEvent, void> {
  for (const message of parser.push(bytes)) {
    const event = readObject(message, 'type', url) as Omit<ReactPlusEvent, 'id'>
    yield {
      ...event,
      data: event.data ?? {},
      meta: event.meta ?? {},
      id: message.id === '' ? cursor : message.id,
    }
  }
}

/** A name for a conversation, no secret: whose it is comes from the credential. */
function newSessionId(random: () => number): string {
  const part = () => Math.floor(random() * 2 ** 32).toString(36)
  return `session-${part()}${part()}`
}

const realClock: Pick<Clock, 'after'> = {
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return { cancel: () => clearTimeout(timer) }
  },
}
