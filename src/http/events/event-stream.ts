/**
 * Server-sent events. The stream pulls: the next event is looked up only when the connection has taken the one before,
 * so a reader who doesn't read costs the memory of one event, however much happens.
 *
 * At least every `keepAliveMs` something is sent. Such a keep-alive carries the cursor as `id`, without data: whoever
 * reconnects goes on from there and need not hear again what was not for them.
 */
import type { Clock } from '../../core/time/clock.ts'
import { every } from '../connection/every.ts'

export interface StreamedEvent {
  /** Everything up to here was told or is not for this reader. */
  cursor: string
  /** Its data is JSON text, which many streams may have in common. */
  event?: { name: string; data: string }
}

export interface EventStreamOptions {
  events: AsyncGenerator<StreamedEvent, void>
  clock: Pick<Clock, 'after'>
  keepAliveMs: number
  /** Asked before each keep-alive; false ends the stream. */
  stillHolds: () => Promise<boolean>
  /** Aborted when the credential is known to be no longer valid: from then on nothing is told. */
  revoked: AbortSignal
  /** Ends the stream with the hint to come back. */
  closing: AbortSignal | undefined
  /** Called once, however it ends. `events` must end soon after. */
  onEnd: () => void
  onFault: (error: unknown) => void
}

/** How soon to come back when the server restarts. */
const RETRY_MS = 1000
const NOT_VALID = ': the credential is no longer valid\n\n'

export function createEventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { events, clock, keepAliveMs, stillHolds, revoked, closing, onEnd, onFault } = options
  const encoder = new TextEncoder()
  let next: { result?: IteratorResult<StreamedEvent, void>; error?: unknown } | undefined
  let wake = () => {}
  let keepAliveDue = false
  let told = ''
  let seen = ''
  let ended = false
  let cancelled = false
  let held: ReadableStreamDefaultController<Uint8Array> | undefined
  let isPulled = false

  const timer = every(clock, keepAliveMs, () => {
    keepAliveDue = true
    wake()
  })
  const onClosing = () => wake()
  closing?.addEventListener('abort', onClosing)
  revoked.addEventListener('abort', onRevoked)

  function onRevoked(): void {
    if (isPulled) {
      wake()
      return
    }
    // The connection has not taken what was sent before. It gets no more, also when it begins to read again.
    end()
    held?.close()
  }

  function end(): void {
    if (ended) return
    ended = true
    timer.cancel()
    closing?.removeEventListener('abort', onClosing)
    revoked.removeEventListener('abort', onRevoked)
    onEnd()
    events.return().catch(onFault)
    wake()
  }

  function ask(): void {
    const asked: typeof next = {}
    next = asked
    events.next().then(
      (result) => {
        asked.result = result
        wake()
      },
      (error) => {
        asked.error = error
        wake()
      },
    )
  }

  /** The next piece of text to send; undefined when it is over. */
  async function advance(): Promise<string | undefined> {
    while (!ended) {
      if (revoked.aborted) {
        end()
        return NOT_VALID
      }
      if (closing?.aborted) {
        end()
        return `: the server is restarting; come back\nretry: ${RETRY_MS}\n\n`
      }
      if (keepAliveDue) {
        keepAliveDue = false
        if (!(await stillHolds())) {
          end()
          return NOT_VALID
        }
        const id = seen === told ? '' : `id: ${seen}\n`
        told = seen
        return `: keep-alive\n${id}\n`
      }
      if (next === undefined) ask()
      if (next?.error !== undefined) throw next.error
      const result = next?.result
      if (result === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      next = undefined
      if (result.done) break
      const { cursor, event } = result.value
      seen = cursor
      if (event === undefined) continue
      told = cursor
      return `event: ${event.name}\nid: ${cursor}\ndata: ${event.data}\n\n`
    }
    end()
    return undefined
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        held = controller
      },
      async pull(controller) {
        isPulled = true
        try {
          const text = await advance()
          isPulled = false
          if (cancelled) return
          if (text !== undefined) controller.enqueue(encoder.encode(text))
          if (ended) controller.close()
        } catch (error) {
          isPulled = false
          onFault(error)
          end()
          if (!cancelled) controller.error(error)
        }
      },
      cancel() {
        cancelled = true
        end()
      },
    },
    { highWaterMark: 0 },
  )
}
