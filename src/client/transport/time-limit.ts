/** An exchange with an end: a server that takes the connection and then says nothing must not be waited for without one. */
import type { Clock } from '../../core/time/clock.ts'
import { ClientError } from './client-error.ts'

export interface TimeLimit {
  /** Aborts with the caller's signal, or after so long with `unreachable`. */
  signal: AbortSignal
  release(): void
}

export function withTimeLimit(
  clock: Pick<Clock, 'after'>,
  { url, withinMs, signal }: { url: string; withinMs: number; signal?: AbortSignal | undefined },
): TimeLimit {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = clock.after(withinMs, () => {
    const detail = `${url} did not answer within ${Math.ceil(withinMs / 1000)} s`
    controller.abort(new ClientError({ code: 'unreachable', detail }))
  })
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    release() {
      timer.cancel()
      signal?.removeEventListener('abort', abort)
    },
  }
}
