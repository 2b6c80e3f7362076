/** `wait`: until a person has decided, or the request ended otherwise. Waiting costs no thread and no timer (P12). */

import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Timer } from '../../core/time/clock.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { RecentRequests } from '../requests/recent-requests.ts'
import { unknownRequestId } from '../requests/request-refusals.ts'
import type { RequestWaiter, Waiters } from '../requests/waiters.ts'

export interface GatewayWaitOptions {
  /** How long to wait at most. It then gives the request as it is. Absent: as long as it takes. */
  holdMs?: number
  /** Stops waiting. The request itself goes on: a dropped connection withdraws nothing. */
  signal?: AbortSignal
  /** When it is over. The default is: when it is no longer pending. */
  until?: (request: Request) => boolean
}

export type WaitVerb = (id: string, options?: GatewayWaitOptions) => Promise<Request>

export interface WaitPorts {
  store: Pick<Store, 'get'>
  waiters: Waiters
  recent: Pick<RecentRequests, 'get'>
  host: Pick<Host, 'clock' | 'closed' | 'keepAlive'>
}

export function createWait(ports: WaitPorts): WaitVerb {
  return (id, options = NO_OPTIONS) =>
    new Promise<Request>((resolve, reject) => {
      if (ports.host.closed()) reject(new BanksmanError('closed', 'the gateway is closed'))
      // Said here: what fails once it waits has nobody to tell.
      else if (typeof id !== 'string')
        reject(new BanksmanError('invalid', 'wait(id) needs the id of a request'))
      else if (options.signal?.aborted) reject(options.signal.reason)
      else new RequestWait(ports, id, options, resolve, reject).begin()
    })
}

const NO_OPTIONS: GatewayWaitOptions = {}
/** A request does not change this often while it is read. */
const MAX_OVERTAKEN = 5

/** One who waits. A hundred thousand of them may be waiting at once, so it is one object and not a handful of closures. */
class RequestWait implements RequestWaiter {
  readonly ports: WaitPorts
  readonly id: string
  readonly options: GatewayWaitOptions
  readonly resolve: (request: Request) => void
  readonly reject: (reason: unknown) => void
  timer: Timer | undefined
  settled = false
  /** The newest version that it has heard of. */
  version = 0

  constructor(
    ports: WaitPorts,
    id: string,
    options: GatewayWaitOptions,
    resolve: (request: Request) => void,
    reject: (reason: unknown) => void,
  ) {
    this.ports = ports
    this.id = id
    this.options = options
    this.resolve = resolve
    this.reject = reject
  }

  begin(): void {
    const { ports, id } = this
    const { holdMs, signal } = this.options
    if (holdMs !== undefined) this.timer = ports.host.clock.after(holdMs, () => this.giveUp())
    signal?.addEventListener('abort', this)
    ports.host.keepAlive?.hold()
    ports.waiters.add(id, this)
    // What this process saw last is good enough for who stays: its own changes are in it, and the hint of another's
    // strikes it out and wakes whoever is registered by then. Who only looks is told what is there now.
    const seen = holdMs === 0 ? undefined : ports.recent.get(id)
    if (seen !== undefined) this.look(seen)
    // Read after registering, so that nothing falls between.
    else this.read((request) => this.look(request))
  }

  hear(news: Request | Error): void {
    if (news instanceof Error) this.fail(news)
    else if (news.version >= this.version) {
      this.version = news.version
      if ((this.options.until ?? isDecided)(news)) this.finish(news)
    }
  }

  forgetVersion(): void {
    this.version = 0
  }

  /** The signal aborted. */
  handleEvent(): void {
    this.fail(this.options.signal?.reason)
  }

  look(request: Request | undefined): void {
    if (request === undefined) this.fail(unknownRequestId(this.id))
    else if (this.options.holdMs === 0) this.finish(request)
    else this.hear(request)
  }

  /** The hold is over: whatever the request is now. */
  giveUp(): void {
    this.read((request) =>
      request === undefined ? this.fail(unknownRequestId(this.id)) : this.finish(request),
    )
  }

  /** A read that was overtaken by what was heard meanwhile is made again. */
  read(then: (request: Request | undefined) => void, triesLeft = MAX_OVERTAKEN): void {
    this.ports.store.get(this.id).then(
      (request) => {
        const isOvertaken = request !== undefined && request.version < this.version
        if (isOvertaken && triesLeft > 0 && !this.settled) this.read(then, triesLeft - 1)
        else then(request)
      },
      (error) => this.fail(error),
    )
  }

  finish(request: Request): void {
    if (this.leave()) this.resolve(request)
  }

  fail(reason: unknown): void {
    if (this.leave()) this.reject(reason)
  }

  /** False when it was over before. */
  leave(): boolean {
    if (this.settled) return false
    this.settled = true
    this.ports.waiters.remove(this.id, this)
    this.ports.host.keepAlive?.release()
    this.timer?.cancel()
    this.options.signal?.removeEventListener('abort', this)
    return true
  }
}

function isDecided(request: Request): boolean {
  return request.state !== 'pending'
}
