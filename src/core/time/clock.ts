/**
 * Time and randomness are parameters: nothing in core, policy, display or the gateway reads them by itself.
 * That is what lets a whole run be replayed from a seed.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds that only ever grow, from any start. It may stand still while the machine sleeps; `now` doesn't. */
  monotonic?(): number
  /** Calls back once after `delayMs`. A timer is a hint: what counts is compared in the store. */
  after(delayMs: number, callback: () => void): Timer
}

export interface Timer {
  cancel(): void
}

export interface Random {
  bytes(length: number): Uint8Array
}

/** Held while someone waits for a person, so that the process does not end meanwhile. */
export interface KeepAlive {
  hold(): void
  release(): void
}

/**
 * Starts to measure. What it gives is the time that has passed by the wall clock or by the monotonic one, whichever says more:
 * one of them may have been set back, the other may have slept.
 */
export function startStopwatch(clock: Pick<Clock, 'now' | 'monotonic'>): () => number {
  const wall = clock.now()
  const monotonic = clock.monotonic?.() ?? 0
  return () => Math.max(clock.now() - wall, (clock.monotonic?.() ?? 0) - monotonic)
}
