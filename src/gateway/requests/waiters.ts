/**
 * Who waits in this process for a request to be decided. A wake-up is a hint that carries the newest state; a
 * waiter always reads the store once after it has registered, so none is lost in between.
 */
import type { Request } from '../../core/request.ts'

export interface Waiters {
  /** Calls back for every change of the request until it is removed. */
  add(id: string, listener: RequestWaiter): void
  remove(id: string, listener: RequestWaiter): void
  /** Gives up for all of them. */
  close(reason: Error): void
  wake(request: Request): void
  /** Gives up for those who wait for this one. */
  fail(id: string, reason: Error): void
  /** The store may know less than it did: what was heard before is no measure of what is newer any more. */
  forgetVersions(): void
  has(id: string): boolean
  ids(): Iterable<string>
  size(): number
}

export interface RequestWaiter {
  /** What is older than what it heard before is not news: reads that are under way overtake each other. */
  hear(news: Request | Error): void
  forgetVersion(): void
}

export function createWaiters(): Waiters {
  // Nearly always one waiter a request, and up to a hundred thousand requests: no list is made for a single one.
  const waiting = new Map<string, RequestWaiter | RequestWaiter[]>()
  return {
    add(id, listener) {
      const found = waiting.get(id)
      if (found === undefined) waiting.set(id, listener)
      else waiting.set(id, Array.isArray(found) ? [...found, listener] : [found, listener])
    },
    remove(id, listener) {
      const found = waiting.get(id)
      if (found === undefined) return
      const rest = Array.isArray(found) ? found : [found]
      const left = rest.filter((one) => one !== listener)
      if (left.length === 0) waiting.delete(id)
      else waiting.set(id, left.length === 1 ? left[0]! : left)
    },
    wake(request) {
      const found = waiting.get(request.id)
      if (found === undefined) return
      if (!Array.isArray(found)) found.hear(request)
      else for (const listener of found) listener.hear(request)
    },
    fail(id, reason) {
      for (const listener of [waiting.get(id) ?? []].flat()) listener.hear(reason)
    },
    forgetVersions() {
      for (const listener of [...waiting.values()].flat()) listener.forgetVersion()
    },
    close(reason) {
      for (const listener of [...waiting.values()].flat()) listener.hear(reason)
    },
    has: (id) => waiting.has(id),
    ids: () => waiting.keys(),
    size: () => waiting.size,
  }
}
