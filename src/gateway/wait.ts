/** `wait`: until a person has decided, or the request ended otherwise. Waiting costs no thread and no timer (P12). */
import { BanksmanError } from '../core/errors.ts'
import type { Request } from '../core/request.ts'
import { type Hall, unknownId } from './hall.ts'

export interface WaitOptions {
  /** How long to wait at most. It then gives the request as it is. Absent: as long as it takes. */
  holdMs?: number
  /** Stops waiting. The request itself goes on: a dropped connection withdraws nothing. */
  signal?: AbortSignal
  /** When it is over. The default is: when it is no longer pending. */
  until?: (request: Request) => boolean
}

export type WaitVerb = (id: string, options?: WaitOptions) => Promise<Request>

export function createWait(hall: Hall): WaitVerb {
  return (id, options = {}) => {
    const { holdMs, signal, until = isDecided } = options
    return new Promise<Request>((resolve, reject) => {
      let settled = false
      let hold: { release(): void } | undefined
      const timer = holdMs === undefined ? undefined : hall.clock.after(holdMs, finish)
      const listener = (news: Request | Error) => {
        if (news instanceof Error) settle(() => reject(news))
        else if (until(news)) settle(() => resolve(news))
      }
      const abort = () => settle(() => reject(signal?.reason))

      function settle(conclude: () => void): void {
        if (settled) return
        settled = true
        hall.waiters.remove(id, listener)
        hold?.release()
        timer?.cancel()
        signal?.removeEventListener('abort', abort)
        conclude()
      }

      function finish(): void {
        hall.store.get(id).then(
          (request) => settle(() => (request === undefined ? reject(unknownId(id)) : resolve(request))),
          (error) => settle(() => reject(error)),
        )
      }

      if (hall.closed()) return reject(new BanksmanError('closed', 'the gateway is closed'))
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', abort, { once: true })
      hold = hall.keepAlive?.()
      hall.waiters.add(id, listener)
      // What this process saw last is good enough: its own changes are in it, and the hint of another's empties the book
      // and wakes whoever is registered by then.
      const seen = hall.recent.get(id)
      if (seen !== undefined) return look(seen)
      // Read after registering, so that nothing falls between.
      hall.store.get(id).then(look, (error) => settle(() => reject(error)))

      function look(request: Request | undefined): void {
        if (request === undefined) settle(() => reject(unknownId(id)))
        else if (until(request) || holdMs === 0) settle(() => resolve(request))
      }
    })
  }
}

function isDecided(request: Request): boolean {
  return request.state !== 'pending'
}
