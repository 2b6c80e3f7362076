/**
 * Every change of a request goes through here: one at a time by compare-and-set, several in one transaction. After the
 * commit everybody in this process who has to know is told (P7).
 */

import { defined } from '../../core/defined.ts'
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import type { Request } from '../../core/request.ts'
import type { RequestEvent, Step } from '../../core/transitions.ts'
import { step } from '../../core/transitions.ts'
import type { EntryDraft, EntryType } from '../../journal/entry.ts'
import type { Change, Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import type { ChangeNews } from './change-news.ts'
import { createRecentRequests, type RecentRequests } from './recent-requests.ts'
import { deadlineRefusal, requestRefusal, unknownRequestId } from './request-refusals.ts'

export type ChangeStep = Extract<Step, { kind: 'change' }>

/** What happens to the request as it is, and how that is written down. Made together, so nothing is kept in between. */
export interface PlannedChange {
  event: RequestEvent
  describe(next: ChangeStep): {
    type: EntryType
    members: JsonObject
    grant?: Change['grant']
    result?: string
  }
}

export type PlanChange = (request: Request) => PlannedChange | Promise<PlannedChange>

export type DraftedChange =
  | { kind: 'change'; request: Request; next: ChangeStep; change: Change }
  | { kind: 'repeat'; request: Request }
  | { kind: 'refuse'; code: ErrorCode; reason: Reason }

export interface ChangeResult {
  request: Request
  /** False when it was already so. */
  changed: boolean
}

export interface RequestChanges {
  /**
   * Requests as they were last seen here. Starting a change from one of these saves a read, and can't do harm: the
   * compare-and-set loses if it is stale, and nothing is refused before it was read afresh.
   */
  readonly recent: RecentRequests
  /**
   * Reads, asks the state machine, compares and sets, and reads again if it lost. The plan is made afresh for each try,
   * because what it should be depends on what the request has become. `seen`: as the caller has just read it.
   */
  change(id: string, plan: PlanChange, seen?: Request): Promise<ChangeResult>
  /** What the plan comes to for this request. Nothing is changed. */
  draft(request: Request, planned: PlannedChange): DraftedChange
  /** All of them or none. Undefined when one of the requests was changed by others meanwhile. */
  commitAll(
    drafted: readonly Exclude<DraftedChange, { kind: 'refuse' }>[],
  ): Promise<ChangeResult[] | undefined>
  /** After the commit that opened it. `isToShow`: it goes to channels. */
  opened(request: Request, mark: number, isToShow: boolean): void
  /**
   * After a commit: whoever waits here wakes, and every channel that showed it is brought up to date (P7). With the mark
   * that was taken before it, the request is remembered.
   */
  committed(request: Request, mark?: number): void
  /** A store that failed can't say whether it committed: those who wait are told as soon as the request can be read. */
  rereadLater(id: string): void
}

export interface RequestChangesPorts {
  store: Pick<Store, 'get' | 'transition' | 'transitionAll'>
  journal: JournalWriter
  news: ChangeNews
  host: Pick<Host, 'clock' | 'closed'>
}

/** A request that raced with others is read again; this often, and then it is given up as a fault. */
const MAX_RACES = 1000
const REREAD_MS = 1000

export function createRequestChanges({ store, journal, news, host }: RequestChangesPorts): RequestChanges {
  const recent = createRecentRequests()
  const rereading = new Set<string>()

  async function change(id: string, plan: PlanChange, seen?: Request): Promise<ChangeResult> {
    let remembered = seen ?? recent.get(id)
    let request = remembered ?? (await store.get(id))
    for (let race = 0; race < MAX_RACES; race++) {
      if (request === undefined) throw unknownRequestId(id)
      const tried = await attempt(request, plan)
      if (tried.kind !== 'change' && remembered !== undefined) {
        remembered = undefined
        request = await store.get(id)
        continue
      }
      if (tried.kind === 'throw') throw tried.error
      if (tried.kind === 'refuse') throw requestRefusal(tried.code, tried.reason, request)
      if (tried.kind === 'repeat') return repeated(request)
      const { next, change } = tried
      const mark = recent.mark(id)
      const result = await store.transition(change).catch((error) => {
        rereadLater(id)
        throw error
      })
      remembered = undefined
      if (result.won) {
        const moved = requestAfter(request, next, result.deadline)
        committed(moved, mark)
        return { request: moved, changed: true }
      }
      recent.delete(id)
      const found: Request | undefined = result.request
      if (found !== undefined && found.version === request.version && next.guard !== undefined)
        throw deadlineRefusal(request, next.guard)
      request = found
    }
    throw new BanksmanError('internal', `request ${id} changed ${MAX_RACES} times while it was being changed`)
  }

  /** A plan that throws for a request as it was remembered may not throw for the request as it is. */
  async function attempt(
    request: Request,
    plan: PlanChange,
  ): Promise<DraftedChange | { kind: 'throw'; error: unknown }> {
    let planned: PlannedChange
    try {
      planned = await plan(request)
    } catch (error) {
      return { kind: 'throw', error }
    }
    return draftChange(journal, request, planned)
  }

  /** The first time may have been committed without anyone here hearing of it. */
  function repeated(request: Request): ChangeResult {
    news.publish(request, true)
    return { request, changed: false }
  }

  function committed(request: Request, mark?: number): void {
    if (mark === undefined) recent.delete(request.id)
    else recent.keep(request, mark)
    news.publish(request, true)
  }

  function rereadLater(id: string): void {
    recent.delete(id)
    // In a long outage everybody's attempts fail: one read a second is enough for all of them.
    if (rereading.has(id)) return
    rereading.add(id)
    host.clock.after(REREAD_MS, () => {
      rereading.delete(id)
      if (host.closed()) return
      store
        .get(id)
        .then(async (request) => {
          // By now it may be older than what others know, so it is not remembered.
          if (request !== undefined) news.publish(request, true)
          await journal.catchUp()
        })
        .catch(() => rereadLater(id))
    })
  }

  return {
    recent,
    change,
    draft: (request, planned) => draftChange(journal, request, planned),
    async commitAll(drafted) {
      const changes = drafted.flatMap((one) => (one.kind === 'change' ? [one.change] : []))
      if (changes.length === 0) return drafted.map(({ request }) => repeated(request))
      const result = await store.transitionAll(changes).catch((error) => {
        for (const { id } of changes) rereadLater(id)
        throw error
      })
      if (!result.won) {
        for (const { id } of result.lost) recent.delete(id)
        return undefined
      }
      let index = 0
      return drafted.map((one) => {
        if (one.kind === 'repeat') return repeated(one.request)
        const request = requestAfter(one.request, one.next, result.deadlines[index++]!)
        committed(request)
        return { request, changed: true }
      })
    },
    opened(request, mark, isToShow) {
      recent.keep(request, mark)
      news.publish(request, isToShow)
    },
    committed,
    rereadLater,
  }
}

function draftChange(
  journal: JournalWriter,
  request: Request,
  { event, describe }: PlannedChange,
): DraftedChange {
  const next = step(request, event)
  if (next.kind === 'refuse') return next
  if (next.kind === 'repeat') return { kind: 'repeat', request }
  const { type, members, grant, result } = describe(next)
  const said = { ...request, progress: next.progress }
  const entry = journal.entry(type, members, { request: request.id, version: request.version + 1 }, said)
  const change = { ...toStoreChange(request, next, entry), ...defined({ grant, result }) }
  return { kind: 'change', request, next, change }
}

export function toStoreChange(request: Request, next: ChangeStep, entry: EntryDraft): Change {
  return {
    id: request.id,
    version: request.version,
    from: request.state,
    to: next.to,
    progress: next.progress,
    deadline: next.deadline,
    ...defined({ guard: next.guard }),
    entry,
  }
}

export function requestAfter(request: Request, next: ChangeStep, deadline: number | null): Request {
  return { ...request, state: next.to, version: request.version + 1, progress: next.progress, deadline }
}
