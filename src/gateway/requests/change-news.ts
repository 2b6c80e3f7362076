/**
 * Tells the parts of this process what a request has become. Listeners are called at once, in the order in which they
 * subscribed: after a commit those who wait are woken before anything else happens (P7). Listeners must not throw.
 */
import type { Request } from '../../core/request.ts'

/** `isToShow`: a channel has shown it, or is to show it. */
export type ChangeListener = (request: Request, isToShow: boolean) => void

export interface ChangeNews {
  subscribe(listener: ChangeListener): void
  publish: ChangeListener
}

export function createChangeNews(): ChangeNews {
  const listeners: ChangeListener[] = []
  return {
    subscribe: (listener) => void listeners.push(listener),
    publish(request, isToShow) {
      for (const listener of listeners) listener(request, isToShow)
    },
  }
}
