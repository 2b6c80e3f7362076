/**
 * Asks again when a model's server is busy or the connection was lost, after a while that doubles each time.
 *
 * Only while nothing of the answer was passed on: from the first word on, a second answer would be told after the half of
 * the first. Such a fault goes through as it is, and the loop decides.
 */
import type { Clock } from '../../core/time/clock.ts'
import { type Model, ModelFault } from './model.ts'
import { waitFor } from './wait-for.ts'

export interface RetryOptions {
  after: Clock['after']
  /** At least 0 and less than 1. */
  random: () => number
  /** How often it is asked again. Absent: 4. */
  maxRetries?: number
  onRetry?: (retry: Retry) => void
}

export interface Retry {
  /** From 1. */
  attempt: number
  of: number
  delayMs: number
  because: string
}

export function createRetryingModel(model: Model, options: RetryOptions): Model {
  const of = options.maxRetries ?? MAX_RETRIES
  return {
    name: model.name,
    async *stream(request, signal) {
      for (let attempt = 1; ; attempt++) {
        let passedOn = false
        try {
          for await (const event of model.stream(request, signal)) {
            passedOn = true
            yield event
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          if (passedOn || attempt > of || !(error instanceof ModelFault) || !error.mayRetry) throw error
          const delayMs = delayBefore(attempt, error.retryAfterMs, options.random())
          if (delayMs === undefined) throw error
          options.onRetry?.({ attempt, of, delayMs, because: error.message })
          await waitFor(delayMs, signal, options.after)
        }
      }
    },
  }
}

const MAX_RETRIES = 4
const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 30_000

/** Past this the person should rather hear of it than wait: a spent daily quota says hours. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

/**
 * Between half of the delay and all of it, so that agents that were turned away together do not come back together. Never
 * sooner than the server asks; undefined when it asks for longer than we wait.
 */
function delayBefore(attempt: number, retryAfterMs: number | undefined, random: number): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) return undefined
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS)
  return Math.max(Math.round(delay / 2 + (delay / 2) * random), retryAfterMs ?? 0)
}
