/**
 * What changes, live, for as long as the caller wants to know.
 *
 * The stream is read by `fetch`, so that the credential travels in a header. When it breaks it is opened again
 * from the last cursor, after a pause that grows; what happened in between comes first then, and nothing comes
 * twice. The server begins with `reset` where there is no cursor, and says so again where it can't show all that
 * lies between: list at every `reset`, and nothing falls between the list and the stream.
 *
 * It ends quietly when the signal is aborted. It throws when trying again is no use: the credential is refused,
 * or what answers is not the server.
 */
import type { Clock, Timer } from '../core/clock.ts'
import type { WireEvent } from '../core/wire.ts'
import { backOffMs } from './back-off.ts'
import { ClientError } from './client-error.ts'
import { createSseParser, type SseParser } from './sse-parser.ts'
import { failureOf, type Transport } from './transport.ts'

export interface EventsOptions {
  /** The cursor of the last event that was seen. Absent or empty: begin with a `reset`. */
  after?: string
  signal?: AbortSignal
  onStatus?: (status: ConnectionStatus) => void
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

/** The server sends something at least every 15 s. After three times that the line is dead, whatever TCP says. */
const SILENCE_MS = 45_000

export async function* followEvents(
  host: EventsHost,
  options: EventsOptions = {},
): AsyncGenerator<WireEvent, void> {
  const { signal, onStatus } = options
  let cursor = options.after ?? ''
  let failures = 0
  while (!signal?.aborted) {
    const line = createLine(host, signal)
    try {
      const body = await line.open(cursor)
      onStatus?.({ kind: 'connected' })
      const parser = createSseParser()
      for await (const bytes of line.read(body)) {
        failures = 0
        for (const event of eventsIn(parser, bytes, host.transport.url)) {
          cursor = event.cursor
          yield event
        }
        if (parser.lastId() !== '') cursor = parser.lastId()
      }
      throw new ClientError({ code: 'unreachable', detail: `${host.transport.url} closed the stream` })
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof ClientError) || !mayPass(error)) throw error
      failures++
      const retryInMs = backOffMs(failures, host.random())
      onStatus?.({ kind: 'lost', error, retryInMs })
      await pause(host.clock, retryInMs, signal)
    } finally {
      line.close()
    }
  }
}

interface Line {
  open(cursor: string): Promise<ReadableStream<Uint8Array>>
  read(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void>
  close(): void
}

/** One connection, which is given up when nothing is heard for too long. */
function createLine({ transport, clock }: EventsHost, signal: AbortSignal | undefined): Line {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })

  /** Time counts only while we listen: a reader who is slow to take what has come is not a dead line. */
  async function heard<T>(promise: Promise<T>): Promise<T> {
    const timer: Timer = clock.after(SILENCE_MS, () =>
      controller.abort(
        new ClientError({
          code: 'unreachable',
          detail: `nothing was heard from ${transport.url} for ${SILENCE_MS / 1000} s`,
        }),
      ),
    )
    try {
      return await promise
    } finally {
      timer.cancel()
    }
  }

  return {
    async open(cursor) {
      const headers = { accept: 'text/event-stream', 'last-event-id': cursor === '' ? undefined : cursor }
      const response = await heard(
        transport.open({ path: ['v1', 'events'], headers, signal: controller.signal }),
      )
      const type = response.headers.get('content-type') ?? ''
      if (response.body !== null && type.startsWith('text/event-stream')) return response.body
      throw new ClientError({
        code: 'unexpected_answer',
        detail: `${transport.url}/v1/events answered with ${type === '' ? 'no content type' : type}, not with text/event-stream. Check that nothing in between answers for the server`,
        status: response.status,
      })
    },
    async *read(body) {
      const reader = body.getReader()
      try {
        for (;;) {
          const { done, value } = await heard(reader.read()).catch((error) => {
            throw failureOf(error, transport.url, controller.signal)
          })
          if (done) return
          yield value
        }
      } finally {
        reader.cancel().catch(() => {})
      }
    },
    close() {
      signal?.removeEventListener('abort', abort)
      controller.abort()
    },
  }
}

function* eventsIn(parser: SseParser, bytes: Uint8Array, url: string): Generator<WireEvent, void> {
  for (const { data, id } of parser.push(bytes)) {
    const event = parseEvent(data, url)
    // What a newer server tells besides is not for us; its cursor still counts.
    if (KNOWN_TYPES.includes(event.type)) yield { ...event, cursor: event.cursor ?? id } as WireEvent
  }
}

const KNOWN_TYPES: readonly unknown[] = ['request', 'entry', 'reset']

function parseEvent(data: string, url: string): { type: unknown; cursor?: string } {
  try {
    const value: unknown = JSON.parse(data)
    if (typeof value === 'object' && value !== null && 'type' in value) return value
  } catch {
    // Said below.
  }
  throw new ClientError({ code: 'unreachable', detail: `${url} sent an event that can't be read` })
}

/** Whether it may be over after a while: no answer, an overloaded server, one that restarts. */
function mayPass({ code, status }: ClientError): boolean {
  return code === 'unreachable' || status === 429 || (status !== undefined && status >= 500)
}

async function pause(
  clock: Pick<Clock, 'after'>,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = clock.after(delayMs, done)
    signal?.addEventListener('abort', done, { once: true })
    if (signal?.aborted) done()
    function done(): void {
      timer.cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
