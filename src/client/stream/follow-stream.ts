/**
 * A stream of server-sent events, followed for as long as the caller wants.
 *
 * It is read by `fetch`, so that the credential travels in a header. When it breaks it is opened again from the last
 * cursor, after a pause that grows; what happened in between comes first then, and nothing comes twice.
 *
 * It ends quietly when the signal is aborted. It throws when trying again is no use: the credential is refused, or what
 * answers is not the server.
 */

import { defined } from '../../core/defined.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Clock } from '../../core/time/clock.ts'
import { backOffMs } from '../transport/back-off.ts'
import { ClientError } from '../transport/client-error.ts'
import type { Transport, TransportRequest } from '../transport/transport.ts'
import { createSseParser, type SseMessage } from './sse-parser.ts'
import { createStreamConnection, isTransientError, pause } from './stream-connection.ts'

export interface EventsOptions {
  /** The cursor of the last event that was seen. Absent or empty: begin where the server begins. */
  after?: string
  signal?: AbortSignal
  onStatus?: (status: ConnectionStatus) => void
  /** Only for `events`: requests come without their arguments and the text of their rendering, as in a brief list. */
  brief?: boolean
}

export type ConnectionStatus =
  | { kind: 'connected' }
  /** The stream broke or could not be opened; it is tried again by itself. */
  | { kind: 'lost'; error: ClientError; retryInMs: number }

export interface EventsHost {
  transport: Transport
  clock: Pick<Clock, 'after'>
  /** From 0 to 1. */
  random: () => number
}

export interface Stream<Event> {
  path: readonly string[]
  query?: TransportRequest['query']
  /** The event and its cursor; undefined for one that is not for us, whose cursor still counts. */
  read(message: SseMessage): { event: Event; cursor: string } | undefined
}

export async function* followStream<Event>(
  host: EventsHost,
  { path, query, read }: Stream<Event>,
  options: EventsOptions = {},
): AsyncGenerator<Event, void> {
  const { signal, onStatus } = options
  let cursor = options.after ?? ''
  let failures = 0
  while (!signal?.aborted) {
    const line = createStreamConnection(host, signal)
    try {
      const headers = { 'last-event-id': cursor === '' ? undefined : cursor }
      const body = await line.open({ path, headers, ...defined({ query }) })
      onStatus?.({ kind: 'connected' })
      const parser = createSseParser()
      for await (const bytes of line.read(body)) {
        failures = 0
        for (const message of parser.push(bytes)) {
          const found = read(message)
          if (found === undefined) continue
          cursor = found.cursor
          yield found.event
        }
        if (parser.lastId() !== '') cursor = parser.lastId()
      }
      throw new ClientError({ code: 'unreachable', detail: `${host.transport.url} closed the stream` })
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof ClientError) || !isTransientError(error)) throw error
      failures++
      const retryInMs = backOffMs(failures, host.random())
      onStatus?.({ kind: 'lost', error, retryInMs })
      await pause(host.clock, retryInMs, signal)
    } finally {
      line.close()
    }
  }
}

/** The JSON of an event, an object with this member. What can't be read may have been cut: it is asked for again. */
export function readObject<Member extends string>(
  { data }: SseMessage,
  member: Member,
  url: string,
): Record<Member, unknown> {
  try {
    const value: unknown = parseJson(data)
    if (typeof value === 'object' && value !== null && member in value)
      return value as Record<Member, unknown>
  } catch {
    // Said below.
  }
  throw new ClientError({ code: 'unreachable', detail: `${url} sent an event that can't be read` })
}
