/**
 * One connection that a stream is read from. It is given up when nothing is heard for too long: a machine that was
 * unplugged closes nothing.
 */
import type { Clock, Timer } from '../../core/time/clock.ts'
import { ClientError } from '../transport/client-error.ts'
import { failureOf, type Transport, type TransportRequest } from '../transport/transport.ts'

export interface StreamHost {
  transport: Transport
  clock: Pick<Clock, 'after'>
}

export interface StreamConnection {
  /** The body of the answer, once the server has said yes. */
  open(exchange: Omit<TransportRequest, 'signal'>): Promise<ReadableStream<Uint8Array>>
  read(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void>
  close(): void
}

/** The server sends something at least every 15 s. After three times that the line is dead, whatever TCP says. */
const SILENCE_MS = 45_000

export function createStreamConnection(
  { transport, clock }: StreamHost,
  signal: AbortSignal | undefined,
): StreamConnection {
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
    async open(exchange) {
      const headers = { ...exchange.headers, accept: 'text/event-stream' }
      const response = await heard(transport.open({ ...exchange, headers, signal: controller.signal }))
      const type = response.headers.get('content-type') ?? ''
      if (response.body !== null && type.startsWith('text/event-stream')) return response.body
      throw new ClientError({
        code: 'unexpected_answer',
        detail: `${transport.url}/${exchange.path.join('/')} answered with ${type === '' ? 'no content type' : type}, not with text/event-stream. Check that nothing in between answers for the server`,
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

/** Whether it may be over after a while: no answer, an overloaded server, one that restarts. */
export function isTransientError({ code, status }: ClientError): boolean {
  return code === 'unreachable' || status === 429 || (status !== undefined && status >= 500)
}

export async function pause(
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
