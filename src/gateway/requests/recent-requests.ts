/**
 * A small book of requests as they were last seen in this process, the oldest forgotten first.
 *
 * What another process changed is struck out when its hint comes. The answer to a change of our own may come after that
 * hint although it was committed before, and the answers to two changes of our own may come in the wrong order: so whoever
 * means to keep a request takes a mark before asking the store, and nothing is kept under a mark that a hint, or another
 * change of our own, has made old.
 */
import { isFinal, type Request } from '../../core/request.ts'

export interface RecentRequests {
  get(id: string): Request | undefined
  mark(id: string): number
  keep(request: Request, mark: number): void
  /** The same for what was merely read: it takes nothing's place. */
  keepRead(request: Request, mark: number): void
  delete(id: string): void
  /** Another process has changed these, or, without names, it may be any. */
  strike(ids?: readonly string[]): void
}

/** As many as are likely to be under way at once; each is a few kilobytes. */
const MAX_KEPT = 512
/** A request with large arguments is read when it is needed. */
const MAX_BYTES = 16 * 1024
/** More hints than come while one change is under way. With more, all marks are made old. */
const MAX_STRUCK = 4096

export function createRecentRequests(): RecentRequests {
  const kept = new Map<string, Request>()
  const struck = new Map<string, number>()
  let marks = 0
  /** The mark of all that was not struck out by name since. */
  let common = 0

  const mark = (id: string) => struck.get(id) ?? common

  return {
    get: (id) => kept.get(id),
    mark,
    keep(request, taken) {
      const { id } = request
      const isNews = taken === mark(id)
      strike([id])
      if (isNews) put(request)
    },
    keepRead(request, taken) {
      if (taken === mark(request.id) && !kept.has(request.id)) put(request)
    },
    delete: (id) => strike([id]),
    strike,
  }

  function put(request: Request): void {
    if (isFinal(request.state) || request.bytes.length > MAX_BYTES) return
    if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
    kept.set(request.id, request)
  }

  function strike(ids?: readonly string[]): void {
    marks++
    if (ids === undefined) kept.clear()
    if (ids === undefined || struck.size + ids.length > MAX_STRUCK) {
      struck.clear()
      common = marks
    }
    for (const id of ids ?? []) {
      kept.delete(id)
      struck.set(id, marks)
    }
  }
}
