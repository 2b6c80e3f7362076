/** A part of the store's contract: see `store.ts`. */
import type { JsonValue } from '../core/json/json.ts'

export interface DeliveryDraft {
  channel: string
}

export interface Delivery {
  request: string
  channel: string
  /** The version of the request that was last shown; 0 before the first presentation. */
  shownVersion: number
  /** What the channel gave back when it presented: a message id, say. */
  reference?: JsonValue
  attempts: number
  /** Raised by every take, and never given out twice for one delivery: it tells a taker from the next one. */
  ticket: number
}

/** Names what was taken. */
export type TakenDelivery = Pick<Delivery, 'request' | 'channel' | 'ticket'>

export interface DeliveryVerbs {
  /**
   * Takes deliveries that show an older version than their request has, for `leaseMs`: until then no other taker
   * gets them, even if the request changes. A taker that dies loses them to the next one. `attempts` counts the takes
   * since the last `shown`, this one included. Those that have been due for longest are taken, and given back in any order.
   */
  take(channels: string[], limit: number, leaseMs: number): Promise<Delivery[]>
  /**
   * Ends the lease. Without a reference the one before is kept. If the request has changed since, it is due again.
   * A taker that was paused for so long that another has taken the delivery since changes nothing, and is told false.
   */
  shown(taken: TakenDelivery, version: number, reference: JsonValue | undefined): Promise<boolean>
  /** It failed: it is due again after `retryInMs`, and not before. False, and nothing changed, as with `shown`. */
  failed(taken: TakenDelivery, retryInMs: number): Promise<boolean>
  list(request: string): Promise<Delivery[]>
}
