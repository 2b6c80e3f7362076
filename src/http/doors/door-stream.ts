/**
 * A stream of texts that a channel writes. Each text goes out in one write of its own, since there are clients that take
 * what one read gives them for whole frames; and the next is asked for when the connection has taken the one before.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface DoorStreamOptions {
  texts: AsyncIterable<string>
  /** Aborted when it must end before the channel ends it: the credential no longer holds. */
  over: AbortSignal
  /** Called once, however it ends. */
  onEnd: () => void
  onFault: (error: unknown) => void
}

export function createDoorStream(options: DoorStreamOptions): ReadableStream<Uint8Array> {
  const { over, onEnd, onFault } = options
  const encoder = new TextEncoder()
  const texts = options.texts[Symbol.asyncIterator]()
  let isFirst = true
  let ended = false

  /** The channel is told by `return`, and by the signal of its visit if it waits for something. */
  function end(): void {
    if (ended) return
    ended = true
    onEnd()
    texts.return?.().then(undefined, onFault)
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stop = () => {
          if (ended) return
          end()
          controller.close()
        }
        if (over.aborted) stop()
        else over.addEventListener('abort', stop, { once: true })
      },
      async pull(controller) {
        try {
          // What is written in one turn of the loop leaves in one packet.
          if (!isFirst) await nextTurn()
          isFirst = false
          const { done, value } = await texts.next()
          if (ended) return
          if (!done) return controller.enqueue(encoder.encode(value))
          end()
          controller.close()
        } catch (error) {
          if (ended) return
          onFault(error)
          end()
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
