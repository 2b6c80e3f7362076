/**
 * Time and randomness are parameters: nothing in core, policy, display or the gateway reads them by itself.
 * That is what lets a whole run be replayed from a seed.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
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
