/** Requests in memory: the verbs that carry P1, P2 and P4. Each checks everything before it changes anything. */
import { defined } from '../../../core/defined.ts'
import { isFinal, type Request } from '../../../core/request.ts'
import { readCursor } from '../../cursor.ts'
import { deadlineOf } from '../../deadline-of.ts'
import { inListOrder, listAnyState, type StateQuery, sortKey } from '../../list-any-state.ts'
import { nothingToSucceed } from '../../no-call-to-follow.ts'
import type {
  Change,
  Ending,
  EndResult,
  KnownCall,
  Opening,
  OpenResult,
  RecordBatch,
  Recording,
  RecordResult,
  RequestVerbs,
  TransitionAllResult,
  TransitionResult,
} from '../../store.ts'
import { type Applier, taken } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import { pageOf } from '../tables/page.ts'
import type { RequestTable } from '../tables/request-table.ts'
import type { MemoryCalls } from './calls.ts'
import type { MemoryDeliveries } from './deliveries.ts'
import type { MemoryGrants } from './grants.ts'
import type { MemoryJournal } from './journal.ts'
import type { MemorySessions } from './sessions.ts'

export interface MemoryRequestParts {
  applier: Applier
  now: () => number
  journal: MemoryJournal
  sessions: MemorySessions
  grants: MemoryGrants
  deliveries: MemoryDeliveries
  calls: MemoryCalls
  book: RequestTable
}

export function createRequests(parts: MemoryRequestParts): RequestVerbs {
  const { applier, now, journal, sessions, grants, deliveries, calls, book } = parts

  /** What has the call id now, unless it is free or steps aside for the one that succeeds it. */
  function inTheWay(
    { session, callId, digest }: { session: string; callId: string; digest: string },
    succeeds: string | undefined,
  ): Omit<KnownCall, 'hold' | 'reason'> | undefined {
    const found = calls.known(session, callId)
    if (found === undefined) {
      if (succeeds !== undefined) throw nothingToSucceed(callId)
      return undefined
    }
    const { hold: _, reason: __, ...known } = found
    if (succeeds === undefined || known.request !== succeeds || known.digest !== digest) return known
    return isFinal(book.get(succeeds)!.state) ? undefined : known
  }

  function open({
    request: draft,
    state,
    session,
    deliveries: drafts,
    maxPending,
    succeeds,
    entry,
  }: Opening): OpenResult {
    const admission = sessions.admit(session)
    if (admission === 'not_yours') return { kind: 'refused', code: admission }
    const known = inTheWay(draft, succeeds)
    if (known !== undefined) {
      if (known.digest !== draft.digest) return { kind: 'conflict', digest: known.digest }
      const { request, verdict, ...rest } = known
      if (verdict === 'ask') return { kind: 'existing', request: book.get(request!)! }
      return { kind: 'known', verdict, ...rest }
    }
    if (admission === 'session_ended') return { kind: 'refused', code: admission }
    if (book.pendingIn(draft.session) >= maxPending) return { kind: 'refused', code: 'too_many_pending' }
    if (book.get(draft.id) !== undefined) throw taken('request', draft.id)

    const at = now()
    const deadline = state === 'pending' ? at + draft.expiresInMs : null
    const request: Request = frozenCopy({
      ...draft,
      state,
      version: 1,
      createdAt: at,
      deadline,
      progress: {},
    })
    if (admission === 'new') sessions.create(session, at)
    book.put(request)
    calls.addAsked(request)
    deliveries.add(request.id, drafts)
    journal.add(entry)
    return { kind: 'opened', request }
  }

  function record({ call, session, entry, consume, succeeds }: Recording): RecordResult {
    const admission = sessions.admit(session)
    if (admission === 'not_yours') return { kind: 'refused', code: admission }
    const known = inTheWay(call, succeeds)
    if (known !== undefined) return { kind: 'existing', ...known }
    if (admission === 'session_ended') return { kind: 'refused', code: admission }
    const kept = frozenCopy(call)
    if (consume !== undefined && !grants.consume(consume)) return { kind: 'refused', code: 'grant_spent' }
    if (admission === 'new') sessions.create(session, now())
    calls.addRecorded(kept)
    journal.add(entry)
    return { kind: 'recorded' }
  }

  function recordAll({ calls: batch, entry }: RecordBatch): RecordResult[] {
    const results = batch.map(({ call, session }): RecordResult => {
      const admission = sessions.admit(session)
      if (admission === 'not_yours') return { kind: 'refused', code: admission }
      const known = inTheWay(call, undefined)
      if (known !== undefined) return { kind: 'existing', ...known }
      if (admission === 'session_ended') return { kind: 'refused', code: admission }
      if (admission === 'new') sessions.create(session, now())
      calls.addRecorded(frozenCopy(call))
      return { kind: 'recorded' }
    })
    journal.add(entry)
    return results
  }

  /** What the change makes of the request; undefined when it loses. */
  function changed(request: Request | undefined, change: Change, at: number): Request | undefined {
    if (request === undefined || request.version !== change.version || request.state !== change.from)
      return undefined
    const isDue = request.deadline !== null && request.deadline <= at
    if (change.guard === 'before_deadline' && isDue) return undefined
    if (change.guard === 'after_deadline' && !isDue) return undefined
    const { deadline } = change
    return Object.freeze({
      ...request,
      state: change.to,
      version: request.version + 1,
      progress: frozenCopy(change.progress),
      deadline: deadline === 'keep' ? request.deadline : deadlineOf(deadline, at),
    })
  }

  function apply(change: Change, next: Request): void {
    book.put(next)
    if (change.result !== undefined) calls.keepResult(next, change.result)
    deliveries.touch(next.id, next.version)
    journal.add(change.entry)
  }

  function transition(change: Change): TransitionResult {
    const request = book.get(change.id)
    const next = changed(request, change, now())
    if (next === undefined) return { won: false, request }
    const left = grants.prepare(change.grant === undefined ? [] : [change.grant])
    apply(change, next)
    left.forEach(grants.add)
    return { won: true, deadline: next.deadline }
  }

  function transitionAll(changes: readonly Change[]): TransitionAllResult {
    const at = now()
    const steps = new Map<string, [Change, Request | undefined]>()
    for (const change of changes) {
      const next = steps.has(change.id) ? undefined : changed(book.get(change.id), change, at)
      steps.set(change.id, [change, next])
    }
    const lost = [...steps].filter(([, [, next]]) => next === undefined)
    if (lost.length > 0) return { won: false, lost: lost.map(([id]) => ({ id, request: book.get(id) })) }
    const left = grants.prepare(changes.flatMap((change) => change.grant ?? []))
    const after = [...steps.values()] as [Change, Request][]
    for (const [change, next] of after) apply(change, next)
    left.forEach(grants.add)
    return { won: true, deadlines: after.map(([, next]) => next.deadline) }
  }

  function endSessions({ sessions: ended, by, reason, changes, entry }: Ending): EndResult {
    const at = now()
    const after = new Map<string, Request>()
    const steps: [Change, Request][] = []
    for (const change of changes) {
      const next = changed(after.get(change.id) ?? book.get(change.id), change, at)
      if (next === undefined) return { won: false }
      after.set(change.id, next)
      steps.push([change, next])
    }
    for (const session of ended) {
      if (book.live(session).some((request) => !after.has(request.id))) return { won: false }
      if (sessions.openChildren(session).some((child) => !ended.includes(child))) return { won: false }
    }
    const left = grants.prepare(changes.flatMap((change) => change.grant ?? []))
    for (const [change, next] of steps) apply(change, next)
    left.forEach(grants.add)
    for (const session of ended) sessions.end(session, { at, by, ...defined({ reason }) })
    journal.add(entry)
    return { won: true }
  }

  function* matching(query: StateQuery, at: number, id: string): Generator<Request, void> {
    const { submittedBy } = query
    for (const request of inStateOf(query, at, id)) {
      if (submittedBy === undefined || request.submittedBy === submittedBy) yield request
    }
  }

  function* inStateOf({ state, session }: StateQuery, at: number, id: string): Generator<Request, void> {
    if (session === undefined) return yield* book.inState(state, at, id)
    const found = book.inSession(session).filter((request) => request.state === state)
    for (const request of found.sort(inListOrder)) {
      const key = sortKey(request)
      if (key > at || (key === at && request.id > id)) yield request
    }
  }

  return {
    lookup: (session, callId, tool) =>
      applier.read(() => ({
        granted: grants.any(tool),
        session: sessions.find(session),
        known: calls.known(session, callId),
      })),
    open: (opening) => applier.write(() => open(opening)),
    record: (recording) => applier.write(() => record(recording)),
    recordAll: (batch) => applier.write(() => recordAll(batch)),
    transition: (change) => applier.write(() => transition(change)),
    transitionAll: (changes) => applier.write(() => transitionAll(changes)),
    endSessions: (ending) => applier.write(() => endSessions(ending)),
    get: (id) => applier.read(() => book.get(id)),
    list: listAnyState((query) =>
      applier.read(() => {
        const [at, id] = readCursor(query.cursor, [0, ''])
        return pageOf(matching(query, at, id), query.limit, (last) => [sortKey(last), last.id])
      }),
    ),
    count: (state) => applier.read(() => book.count(state)),
    due: (limit) =>
      applier.read(() => {
        const at = now()
        const due: Request[] = []
        for (const request of book.byDeadline()) {
          if (request.deadline! > at || due.length >= limit) break
          due.push(request)
        }
        return due
      }),
    nextDeadline: () => applier.read(() => book.next()?.deadline ?? undefined),
  }
}
