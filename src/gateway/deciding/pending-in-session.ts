/**
 * `waiting`: all that waits for people in a session and in what it started, as one thing with a name. It is for hosts
 * that think in interrupts: their agent is paused until every one of these is decided.
 */

import type { DecisionKind } from '../../core/decision.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize } from '../../core/json/json.ts'
import { currentTerms, type Request, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { Store } from '../../stores/store.ts'
import type { ReadVerbs } from '../requests/read-requests.ts'
import { unknownSession } from '../requests/request-refusals.ts'

export interface PendingInSession {
  session: string
  /**
   * Names exactly this: these requests, in these versions, as they are shown. It is another one as soon as a request
   * comes, goes, is voted on or edited.
   */
  actionId: string
  /** In the order in which they were asked. Never empty. */
  items: PendingItem[]
}

export interface PendingItem {
  request: Request
  /** The call's own id; with its session in front where a sub-session made it. Unique among these. */
  callId: string
  /** Whether the reader may decide it now. */
  yours: boolean
}

/** In the order in which they are shown. To terminate is no way to go on: it is decided on the request itself. */
const RESUMING: readonly DecisionKind[] = ['approve', 'edit', 'reject', 'respond', 'answer']

/** What an item can be resumed with by the reader; nothing where it is not theirs. */
export function resumableDecisions({ request, yours }: PendingItem): DecisionKind[] {
  const { allowedDecisions } = currentTerms(request)
  return yours ? RESUMING.filter((kind) => allowedDecisions.includes(kind)) : []
}

/** Undefined when nothing waits. What is past its deadline does not wait any more. */
export type PendingInSessionVerb = (session: string, actor: Actor) => Promise<PendingInSession | undefined>

export type PendingStore = Pick<Store, 'now' | 'list' | 'sessions'>

export function createPendingInSession(
  store: PendingStore,
  { decidable }: Pick<ReadVerbs, 'decidable'>,
): PendingInSessionVerb {
  return async (session, actor) => {
    const requests = await pendingRequestsIn(store, session, actor)
    return pendingInSessionOf(store, session, requests, (live) => decidable(live, actor))
  }
}

/** All that is pending in the session and what it started, past its deadline or not. Others' sessions are unknown (P6). */
export async function pendingRequestsIn(
  store: PendingStore,
  session: string,
  actor: Actor,
): Promise<Request[]> {
  const family = await store.sessions.family(session)
  const root = family.find(({ id }) => id === session)
  if (root === undefined || (actor.role === 'agent' && root.owner !== actor.subject)) {
    throw unknownSession(session)
  }
  const found: Request[] = []
  for (const { id, ended } of family) {
    if (ended !== undefined) continue
    found.push(...(await readAllPages((next) => store.list({ state: 'pending', session: id, ...next }))))
  }
  return found.sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))
}

export async function pendingInSessionOf(
  store: PendingStore,
  session: string,
  pending: readonly Request[],
  decidable: (requests: readonly Request[]) => Promise<ReadonlySet<string>>,
): Promise<PendingInSession | undefined> {
  const live = pending.filter((request) => !isDue(store, request))
  if (live.length === 0) return undefined
  const named = new Set<string>()
  const yours = await decidable(live)
  const items: PendingItem[] = live.map((request) => {
    const callId = nameOf(request, session, named)
    named.add(callId)
    return { request, callId, yours: yours.has(request.id) }
  })
  const shown = live.map((request) => [request.id, request.version, shownDigest(request)])
  return { session, actionId: `act_${digestOf(canonicalize([session, shown]))}`, items }
}

export function isDue(store: PendingStore, { deadline }: Request): boolean {
  return deadline !== null && deadline <= store.now()
}

/** An agent chooses its ids, and could choose one that reads like another's: whoever comes second is given a number. */
function nameOf(request: Request, session: string, taken: ReadonlySet<string>): string {
  const name = request.session === session ? request.callId : `${request.session}/${request.callId}`
  let free = name
  for (let number = 2; taken.has(free); number++) free = `${name}#${number}`
  return free
}
