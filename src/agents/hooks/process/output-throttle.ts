/**
 * Holds back a hook that floods its stdout with what is no reply: past so much in a while nothing more is read until the
 * while is over. The pipe then fills up and the hook waits, where otherwise we would do nothing but read.
 */
import type { Clock, Timer } from '../../../core/time/clock.ts'

export interface OutputThrottle {
  count(bytes: number): void
  /** Reads on, whatever was counted. */
  release(): void
}

/** A stray print is far below, a flood far above. */
const NOISE_BYTES = 1024 * 1024
const WHILE_MS = 1000

export function createOutputThrottle(
  stream: { pause(): unknown; resume(): unknown },
  clock: Clock = MONOTONIC,
): OutputThrottle {
  let noise = 0
  let since = clock.now()
  let timer: Timer | undefined

  function release(): void {
    timer?.cancel()
    timer = undefined
    noise = 0
    since = clock.now()
    stream.resume()
  }

  return {
    count(bytes) {
      if (timer !== undefined) return
      const elapsedMs = clock.now() - since
      if (elapsedMs >= WHILE_MS) release()
      noise += bytes + 1
      if (noise < NOISE_BYTES) return
      stream.pause()
      timer = clock.after(Math.max(1, WHILE_MS - elapsedMs), release)
    },
    release,
  }
}

const MONOTONIC: Clock = {
  now: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs)
    return { cancel: () => clearTimeout(timer) }
  },
}
