/** All requests in memory, found by id, by state in the order of lists, by session, and by deadline. */
import { LIVE_STATES, type Request, type RequestState, STATES } from '../../../core/request.ts'
import { sortKey } from '../../list-any-state.ts'
import { createSortedIndex, type SortedIndex } from './sorted-index.ts'

export interface RequestTable {
  get(id: string): Request | undefined
  /** Takes the place of what the request was. It is kept as it is given: frozen. */
  put(request: Request): void
  count(state: RequestState): number
  /** In the order of lists, behind the key. */
  inState(state: RequestState, at: number, id: string): Iterable<Request>
  pendingIn(session: string): number
  inSession(session: string): Request[]
  /** Those of a session that are pending, approved or running. */
  live(session: string): Request[]
  /** Those that live and have a deadline, in its order. */
  byDeadline(): Iterable<Request>
  next(): Request | undefined
}

interface SessionRequests {
  all: Map<string, Request>
  live: Map<string, Request>
  pending: number
}

export function createRequestTable(): RequestTable {
  const requests = new Map<string, Request>()
  const states = new Map<RequestState, SortedIndex<Request>>(
    STATES.map((state) => [state, createSortedIndex()]),
  )
  const deadlines = createSortedIndex<Request>()
  const sessions = new Map<string, SessionRequests>()

  function sessionOf({ session: id }: Request): SessionRequests {
    let session = sessions.get(id)
    if (session === undefined) {
      session = { all: new Map(), live: new Map(), pending: 0 }
      sessions.set(id, session)
    }
    return session
  }

  return {
    get: (id) => requests.get(id),
    put(request) {
      const { id } = request
      const session = sessionOf(request)
      const old = requests.get(id)
      if (old !== undefined) {
        states.get(old.state)!.remove(sortKey(old), id)
        if (old.deadline !== null) deadlines.remove(old.deadline, id)
        if (old.state === 'pending') session.pending--
        session.live.delete(id)
      }
      requests.set(id, request)
      session.all.set(id, request)
      states.get(request.state)!.add(sortKey(request), id, request)
      if (request.state === 'pending') session.pending++
      if (!LIVE_STATES.includes(request.state)) return
      session.live.set(id, request)
      if (request.deadline !== null) deadlines.add(request.deadline, id, request)
    },
    count: (state) => states.get(state)!.size,
    inState: (state, at, id) => states.get(state)!.after(at, id),
    pendingIn: (session) => sessions.get(session)?.pending ?? 0,
    inSession: (session) => [...(sessions.get(session)?.all.values() ?? [])],
    live: (session) => [...(sessions.get(session)?.live.values() ?? [])],
    byDeadline: () => deadlines.after(Number.NEGATIVE_INFINITY, ''),
    next: () => deadlines.first(),
  }
}
