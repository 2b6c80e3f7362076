/**
 * The hall: what all verbs of one gateway share. It owns no state that matters: waiters and running calls of this
 * process, and the small books that can be lost without losing a promise.
 */
import { defined } from '../../core/defined.ts'
import type { ErrorCode } from '../../core/errors.ts'
import { BanksmanError } from '../../core/errors.ts'
import { createIds } from '../../core/ids.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Progress, Request } from '../../core/request.ts'
import type { RequestEvent, Step } from '../../core/transitions.ts'
import { step } from '../../core/transitions.ts'
import type { EntryDraft, EntryType } from '../../journal/entry.ts'
import type { Change } from '../../stores/store.ts'
import { DEFAULT_SETTINGS, type GatewayParts, type GatewaySettings } from '../gateway-parts.ts'
import { withMaskedReason } from '../record/mask-reason.ts'
import { createRecentRequests, type RecentRequests } from './recent-requests.ts'
import { createWaiters, type Waiters } from './waiters.ts'

export interface GatewayContext extends GatewayParts {
  settings: GatewaySettings
  newId: (prefix: string) => string
  waiters: Waiters
  /** Calls that run in this process under `guard`, to be told at once when they must stop. */
  running: Map<string, { stop(reason: unknown): void; by: string; request: Request }>
  /** Requests that were stopped here and whose record is still to be written: they must not run (P5). */
  stopped: Map<string, NonNullable<Progress['stop']>>
  /**
   * Requests as they were last seen here. Starting a change from one of these saves a read, and can't do harm: the
   * compare-and-set loses if it is stale, and nothing is refused before it was read afresh.
   */
  recent: RecentRequests
  /** Requests that are about to be read again, since it is not known whether a change of theirs was committed. */
  lookingAgain: Set<string>
  /** What sessions may have written of files that steer programs, as far as it is known here: see `steered.ts`. */
  steered: Map<string, ReadonlySet<string>>
  /** Sessions that may not be in the store yet, and what they say they were started by. */
  startedBy: Map<string, string>
  /** Tools whose schema is no JSON Schema, and of which that was said. */
  warnedOf: Set<string>
  /** When somebody was last told "not yours", by person and request. */
  attempts: Map<string, number>
  /** Set by the parts that run in the background. */
  /** `foreign`: another process has changed something, and presents it itself where it can. */
  kickDeliveries: (by?: 'foreign') => void
  kickDeadlines: (at: number) => void
  /** The store lacks entries that it had acknowledged. */
  noticeLoss: () => void
  /** Whether one of these people is connected to the channel through this process. */
  isConnected: (channel: string, people: ReadonlySet<string>) => boolean
  /** Whether anybody at all is. */
  hasConnections: (channel: string) => boolean
  /** The store was away so lately that people who are connected elsewhere may not have said so again yet. */
  mayBeMissed: () => boolean
  closed: () => boolean
  /** `said`: the request that a reason in it is about, which may quote its call. */
  entry(
    type: EntryType,
    members: JsonObject,
    about?: { request: string; version: number },
    said?: Request,
  ): EntryDraft
  giveWay: NonNullable<GatewayParts['giveWay']>
  observe: NonNullable<GatewayParts['observe']>
  report: NonNullable<GatewayParts['report']>
}

export function createGatewayContext(parts: GatewayParts, closed: () => boolean): GatewayContext {
  const hall: GatewayContext = {
    ...parts,
    settings: { ...DEFAULT_SETTINGS, ...parts.settings },
    newId: createIds(parts.clock, parts.random),
    waiters: createWaiters(),
    running: new Map(),
    stopped: new Map(),
    recent: createRecentRequests(),
    lookingAgain: new Set(),
    steered: new Map(),
    startedBy: new Map(),
    warnedOf: new Set(),
    attempts: new Map(),
    kickDeliveries: () => {},
    kickDeadlines: () => {},
    noticeLoss: () => {},
    isConnected: () => false,
    hasConnections: () => false,
    mayBeMissed: () => false,
    closed,
    entry: (type, members, about, said) =>
      parts.chain.draft(type, parts.store.now(), withMaskedReason(members, said, parts.policy), about),
    giveWay: parts.giveWay ?? (async () => {}),
    observe: parts.observe ?? (() => {}),
    report: parts.report ?? (() => {}),
  }
  return hall
}

/** A request that raced with others is read again; this often, and then it is given up as a fault. */
const MAX_RACES = 1000

export interface ChangeResult {
  request: Request
  /** False when it was already so. */
  changed: boolean
}

/**
 * Moves a request by one event: reads, asks the state machine, compares and sets, and reads again if it lost. The
 * event is made afresh for each try, because what it should be depends on what the request has become.
 */
export async function changeRequest(
  hall: GatewayContext,
  id: string,
  make: (request: Request) => RequestEvent | Promise<RequestEvent>,
  describe: (
    request: Request,
    event: RequestEvent,
    step: Extract<Step, { kind: 'change' }>,
  ) => {
    type: EntryType
    members: JsonObject
    grant?: Change['grant']
    result?: string
  },
  /** As the caller has just read it, so that it need not be read again. */
  seen?: Request,
): Promise<ChangeResult> {
  let remembered = seen ?? hall.recent.get(id)
  let request = remembered ?? (await hall.store.get(id))
  for (let race = 0; race < MAX_RACES; race++) {
    if (request === undefined) throw unknownRequestId(id)
    const tried = await attempt(request)
    if (tried.kind !== 'change' && remembered !== undefined) {
      remembered = undefined
      request = await hall.store.get(id)
      continue
    }
    if (tried.kind === 'throw') throw tried.error
    if (tried.kind === 'repeat') {
      // The first time may have been committed without anyone here hearing of it.
      announceRequest(hall, request)
      return { request, changed: false }
    }
    const { next, change } = tried
    const mark = hall.recent.mark(id)
    const result = await hall.store.transition(change).catch((error) => {
      hall.recent.delete(id)
      rereadLater(hall, id)
      throw error
    })
    remembered = undefined
    if (result.won) {
      const moved = requestAfter(request, next, result.deadline)
      announceCommit(hall, moved, mark)
      return { request: moved, changed: true }
    }
    const found: Request | undefined = result.request
    if (found !== undefined && found.version === request.version && next.guard !== undefined) {
      hall.recent.delete(id)
      throw requestRefusal(...deadlineRefusal(request, next.guard), request)
    }
    hall.recent.delete(id)
    request = found
  }
  throw new BanksmanError('internal', `request ${id} changed ${MAX_RACES} times while it was being changed`)

  async function attempt(now: Request): Promise<TriedChange> {
    let event: RequestEvent
    try {
      event = await make(now)
    } catch (error) {
      return { kind: 'throw', error }
    }
    const next = step(now, event)
    if (next.kind === 'repeat') return next
    if (next.kind === 'refuse') return { kind: 'throw', error: requestRefusal(next.code, next.message, now) }
    const { type, members, grant, result } = describe(now, event, next)
    const said = { ...now, progress: next.progress }
    const entry = hall.entry(type, members, { request: id, version: now.version + 1 }, said)
    const change: Change = {
      ...toStoreChange(now, next, entry),
      ...defined({ grant, result }),
    }
    return { kind: 'change', next, change }
  }
}

type TriedChange =
  | { kind: 'change'; next: Extract<Step, { kind: 'change' }>; change: Change }
  | { kind: 'repeat' }
  | { kind: 'throw'; error: unknown }

export function toStoreChange(
  request: Request,
  next: Extract<Step, { kind: 'change' }>,
  entry: EntryDraft,
): Change {
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

export function requestAfter(
  request: Request,
  next: Extract<Step, { kind: 'change' }>,
  deadline: number | null,
): Request {
  return { ...request, state: next.to, version: request.version + 1, progress: next.progress, deadline }
}

const LOOK_AGAIN_MS = 1000
const CATCH_UP = 1000

/** A store that failed can't say whether it committed: whoever waits is told what it was as soon as that can be read. */
export function rereadLater(hall: GatewayContext, id: string): void {
  // In a long outage everybody's attempts fail: one look a second is enough for all of them.
  if (hall.lookingAgain.has(id)) return
  hall.lookingAgain.add(id)
  hall.clock.after(LOOK_AGAIN_MS, () => {
    hall.lookingAgain.delete(id)
    if (hall.closed()) return
    hall.store
      .get(id)
      .then(async (request) => {
        if (request !== undefined) announceRequest(hall, request)
        await catchUpChain(hall)
      })
      .catch(() => rereadLater(hall, id))
  })
}

/**
 * After a failure: reads back what was committed without our hearing of it, so that the chain's head moves on, and
 * notices when the head itself is not there any more.
 */
export async function catchUpChain(hall: GatewayContext): Promise<void> {
  const { chain, store } = hall
  const head = chain.head()
  if (head.n > 0 && (await store.journal.read(chain.chain, head.n - 1, 1)).length === 0) hall.noticeLoss()
  if (!chain.lags()) return
  for (const { n, body } of await store.journal.read(chain.chain, chain.head().n, CATCH_UP))
    chain.found(n, body)
}

/**
 * After a commit: whoever waits here wakes, and every channel that showed it is brought up to date (P7). With the mark
 * that was taken before it, the request is remembered.
 */
export function announceCommit(hall: GatewayContext, request: Request, mark?: number): void {
  if (mark === undefined) hall.recent.delete(request.id)
  else hall.recent.keep(request, mark)
  announceRequest(hall, request)
}

/** The same for a request that was merely read: by now it may be older than what others know. */
export function announceRequest(hall: GatewayContext, request: Request): void {
  hall.waiters.wake(request)
  if (request.progress.stop !== undefined) hall.running.get(request.id)?.stop(stopReason(request))
  if (request.deadline !== null) hall.kickDeadlines(request.deadline)
  hall.kickDeliveries()
}

export function stopReason(request: Request): BanksmanError {
  const stop = request.progress.stop ?? request.progress.cancelled
  const by = stop?.by ?? 'the agent'
  return new BanksmanError('cancelled', `stopped by ${by}${stop?.reason ? `: ${stop.reason}` : ''}`)
}

/** The recorded decision goes with every refusal, so that the loser of a race learns who won (P2). */
export function requestRefusal(code: ErrorCode, message: string, request: Request): BanksmanError {
  const { said: _, ...outcome } = request.progress.outcome ?? {}
  return new BanksmanError(code, message, {
    state: request.state,
    version: request.version,
    ...recordedDecisionOf(request.progress),
    ...(request.progress.outcome === undefined ? {} : { outcome }),
  })
}

/** What was decided, with every vote that it took. */
export function recordedDecisionOf({ decision, votes = [] }: Progress): Pick<Progress, 'decision' | 'votes'> {
  return decision === undefined ? {} : { decision, ...(votes.length === 0 ? {} : { votes }) }
}

export function unknownRequestId(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no request ${JSON.stringify(id)}`)
}

export function unknownSession(id: string): BanksmanError {
  return new BanksmanError('unknown_id', `there is no session ${JSON.stringify(id)}`)
}

function deadlineRefusal(request: Request, guard: 'before_deadline' | 'after_deadline'): [ErrorCode, string] {
  if (guard === 'after_deadline') return ['invalid', 'the deadline has not come yet']
  if (request.state === 'pending') return ['expired', 'the request has expired']
  if (request.state === 'approved')
    return ['not_approved', 'the approval has lapsed: it was not claimed in time']
  return ['lease_lapsed', 'the lease ended before it was renewed']
}
