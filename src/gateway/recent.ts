/** A small book of requests as they were last seen in this process, the oldest forgotten first. */
import { isFinal, type Request } from '../core/request.ts'

export interface Recent {
  get(id: string): Request | undefined
  keep(request: Request): void
  delete(id: string): void
  /** Another process has changed something: what is kept may be old. */
  clear(): void
}

/** As many as are likely to be under way at once; each is a few kilobytes. */
const MAX_KEPT = 512
/** A request with large arguments is read when it is needed. */
const MAX_BYTES = 16 * 1024

export function createRecent(): Recent {
  const kept = new Map<string, Request>()
  return {
    get: (id) => kept.get(id),
    keep(request) {
      const { id } = request
      kept.delete(id)
      if (isFinal(request.state) || request.bytes.length > MAX_BYTES) return
      if (kept.size >= MAX_KEPT) kept.delete(kept.keys().next().value!)
      kept.set(id, request)
    },
    delete(id) {
      kept.delete(id)
    },
    clear() {
      kept.clear()
    },
  }
}
