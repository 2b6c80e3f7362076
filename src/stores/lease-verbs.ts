/** A part of the store's contract: see `store.ts`. */
import type { JsonValue } from '../core/json/json.ts'

/**
 * What one holder has for a time, by the store's clock: a turn of an agent that one node runs, a task that one node does
 * for all, a node that is alive. A holder that was paused past the end finds out at the next `take`: nothing that it
 * remembers makes the lease its own again.
 */
export interface Lease {
  name: string
  holder: string
  /** Raised each time the lease goes to a holder that did not have it the moment before, and never given out twice. */
  fence: number
  until: number
  /** What the holder says of itself. */
  note?: JsonValue
}

export interface LeaseVerbs {
  /**
   * Takes the lease if it is free or has ended (`until <= now`), and prolongs it if it is the holder's own and has not
   * ended, with the fence that it had. Says who holds it now: somebody else's is left as it is.
   */
  take(lease: { name: string; holder: string; leaseMs: number; note?: JsonValue }): Promise<Lease>
  /** Frees it, if it is this holder's. */
  release(name: string, holder: string): Promise<void>
  /** Those whose name begins so and that have not ended, by name. */
  list(prefix: string): Promise<Lease[]>
}
