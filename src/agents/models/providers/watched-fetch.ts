/**
 * Goes to a model's server with an eye on it: ends the connection when the signal aborts, when nothing is heard for too
 * long, or when the answer is not wanted any more. What counts is bytes, since servers keep an answer alive with lines that
 * say nothing.
 *
 * Redirects are not followed: the library's own header with the key would go along to wherever they lead.
 */
import type { Clock } from '../../../core/time/clock.ts'
import { ModelFault } from '../model.ts'

export interface WatchedFetch {
  fetch: typeof globalThis.fetch
  signal: AbortSignal
  /** Set when it was ended because nothing was heard. */
  fault(): ModelFault | undefined
  stop(): void
}

export function createWatchedFetch(options: {
  signal: AbortSignal
  idleTimeoutMs: number
  clock: Clock
  fetch: typeof globalThis.fetch
  name: string
}): WatchedFetch {
  const ended = new AbortController()
  const signal = AbortSignal.any([options.signal, ended.signal])
  let fault: ModelFault | undefined

  /** Time counts only while someone waits for the server, and not while an answer waits to be read. */
  async function hear<T>(waiting: Promise<T>): Promise<T> {
    const timer = options.clock.after(options.idleTimeoutMs, () => {
      const seconds = Math.round(options.idleTimeoutMs / 1000)
      fault = new ModelFault(`${options.name}: nothing was heard from the server for ${seconds} s`, {
        mayRetry: true,
      })
      ended.abort(fault)
    })
    try {
      return await waiting
    } finally {
      timer.cancel()
    }
  }

  return {
    signal,
    fault: () => fault,
    stop: () => ended.abort(new Error('the answer is not wanted any more')),
    async fetch(input, init) {
      const response = await hear(options.fetch(input, { ...init, signal, redirect: 'manual' }))
      if (response.body === null) return response
      const reader = response.body.getReader()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await hear(reader.read())
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel: (reason) => reader.cancel(reason),
      })
      const { status, statusText, headers } = response
      return new Response(body, { status, statusText, headers })
    },
  }
}
