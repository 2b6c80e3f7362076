/** All requests in memory, found by id, by state in the order of lists, by session, and by deadline. */
import { LIVE_STATES, type Request, type RequestState, STATES } from '../../core/request.ts'
import { createSortedIndex, type SortedIndex } from './sorted-index.ts'

export interface RequestBook {
  get(id: string): Request | undefined
  /** Takes the place of what the request was. It is kept as it is given: frozen. */
  put(request: Request): void
  count(state: RequestState): number
  /** In the order of lists, behind the key. */
  inState(state: RequestState, at: number, id: string): Iterable<Request>
  inSession(session: string): Iterable<Request>
  /** Those of a session that are pending, approved or running. */
  live(session: string): Request[]
  /** Those that live and have a deadline, in its order. */
  byDeadline(): Iterable<Request>
  next(): Request | undefined
}

/** The key of lists: the deadline, or without one the creation. */
export function sortKey(request: Request): number {
  return request.deadline ?? request.createdAt
}

export function createRequestBook(): RequestBook {
  const requests = new Map<string, Request>()
  const states = new Map<RequestState, SortedIndex<Request>>(
    STATES.map((state) => [state, createSortedIndex()]),
  )
  const deadlines = createSortedIndex<Request>()
  const sessions = new Map<string, { all: Set<string>; live: Set<string> }>()

  function sessionOf(request: Request): { all: Set<string>; live: Set<string> } {
    let session = sessions.get(request.session)
    if (session === undefined) {
      session = { all: new Set(), live: new Set() }
      sessions.set(request.session, session)
    }
    return session
  }

  function* lookUp(ids: Iterable<string>): Generator<Request, void> {
    for (const id of ids) yield requests.get(id)!
  }

  return {
    get: (id) => requests.get(id),
    put(request) {
      const { id } = request
      const old = requests.get(id)
      if (old !== undefined) {
        states.get(old.state)!.remove(sortKey(old), id)
        if (old.deadline !== null) deadlines.remove(old.deadline, id)
      }
      requests.set(id, request)
      states.get(request.state)!.add(sortKey(request), id, request)
      const lives = LIVE_STATES.includes(request.state)
      if (lives && request.deadline !== null) deadlines.add(request.deadline, id, request)
      const session = sessionOf(request)
      if (old === undefined) session.all.add(id)
      if (lives) session.live.add(id)
      else session.live.delete(id)
    },
    count: (state) => states.get(state)!.size,
    inState: (state, at, id) => states.get(state)!.after(at, id),
    inSession: (session) => lookUp(sessions.get(session)?.all ?? []),
    live: (session) => [...lookUp(sessions.get(session)?.live ?? [])],
    byDeadline: () => deadlines.after(Number.NEGATIVE_INFINITY, ''),
    next: () => deadlines.first(),
  }
}
