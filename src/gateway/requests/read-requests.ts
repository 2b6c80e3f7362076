/** Reading: what an actor may see, and what they may look at under a mask (P6, P9). */

import { type Directory, mayApprove } from '../../core/authority.ts'
import { mayDecideAny } from '../../core/decisions/votes.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Request, type RequestState, STATES } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { ListQuery, Page, Store } from '../../stores/store.ts'
import type { Authority } from './authority.ts'
import type { RecentRequests } from './recent-requests.ts'
import { unknownRequestId } from './request-refusals.ts'
import type { RequestBounds, Uncovering } from './uncover.ts'

export interface ReadVerbs {
  get(id: string, actor: Actor): Promise<Request>
  /** The request of a call; undefined where nobody was asked about it, or it is not this actor's to see. */
  find(call: { session: string; callId: string }, actor: Actor): Promise<Request | undefined>
  list(query: ListQuery, actor: Actor): Promise<Page<Request>>
  /** How many requests there are in the state. People only. */
  count(state: RequestState, actor: Actor): Promise<number>
  /** Whether this person could decide it now. */
  mayDecide(request: Request, actor: Actor): Promise<boolean>
  /** The ids of those that this person could decide now. All sessions are read in one round trip. */
  decidable(requests: readonly Request[], actor: Actor): Promise<ReadonlySet<string>>
  /** What hidden values ask of an approval by this person. */
  bounds(request: Request, actor: Actor): RequestBounds
  /** The arguments without their masks. It is on the record who looked. */
  reveal(id: string, actor: Actor): Promise<JsonObject>
}

export interface ReadPorts {
  store: Pick<Store, 'get' | 'lookup' | 'list' | 'count' | 'sessions'>
  recent: Pick<RecentRequests, 'mark' | 'keepRead'>
  authority: Authority
  uncovering: Pick<Uncovering, 'bounds' | 'uncover'>
}

export function createReadVerbs({ store, recent, authority, uncovering }: ReadPorts): ReadVerbs {
  async function decidable(requests: readonly Request[], actor: Actor): Promise<ReadonlySet<string>> {
    if (actor.role === 'agent' || requests.length === 0) return new Set()
    const found = await store.sessions.getAll([...new Set(requests.map(({ session }) => session))])
    const sessions = new Map(found.map((session) => [session.id, session]))
    const directory = authority.directory()
    const theirs = requests.filter((request) =>
      mayDecideNow(request, actor, directory, sessions.get(request.session)),
    )
    return new Set(theirs.map(({ id }) => id))
  }

  async function mayDecide(request: Request, actor: Actor): Promise<boolean> {
    return (await decidable([request], actor)).has(request.id)
  }

  async function get(id: string, actor: Actor): Promise<Request> {
    const mark = recent.mark(id)
    const request = await store.get(id)
    if (request === undefined || !maySee(request, actor)) throw unknownRequestId(id)
    // Whoever looks at a request that waits is about to decide it.
    if (request.state === 'pending' && actor.role !== 'agent') recent.keepRead(request, mark)
    return request
  }

  return {
    get,
    mayDecide,
    decidable,
    bounds: uncovering.bounds,
    async find({ session, callId }, actor) {
      // The tool is only of interest to grants.
      const { known } = await store.lookup(session, callId, '')
      const request = known?.request === undefined ? undefined : await store.get(known.request)
      return request !== undefined && maySee(request, actor) ? request : undefined
    },
    async list(query, actor) {
      if (query.state !== undefined && !STATES.includes(query.state)) {
        throw new BanksmanError('invalid', unknownState(query.state))
      }
      // In the store's own query: a cursor, too, would tell an agent of others' requests.
      return store.list(actor.role === 'agent' ? { ...query, submittedBy: actor.subject } : query)
    },
    async count(state, actor) {
      if (actor.role === 'agent')
        throw new BanksmanError('forbidden', "an agent's credential can't count requests of others")
      if (!STATES.includes(state)) throw new BanksmanError('invalid', unknownState(state))
      return store.count(state)
    },
    async reveal(id, actor) {
      const request = await get(id, actor)
      if (!(await mayDecide(request, actor))) {
        const why = reasonOf('problem.others-uncover')
        throw await authority.refuse(request, actor, 'not_yours', why)
      }
      if (request.bytes === '') throw reasonedError('unknown_id', reasonOf('problem.erased'))
      return uncovering.uncover(request, actor)
    },
  }
}

/** Who may decide is looked up in the directory as it is now; the session says who started the conversation. */
export function mayDecideNow(
  request: Request,
  { subject, role }: Actor,
  directory: Directory,
  session: Session | undefined,
): boolean {
  if (role === 'agent') return false
  return mayDecideAny(subject, currentTerms(request).conditions, (one, condition) =>
    mayApprove(one, condition, directory, session),
  )
}

/** People of the namespace see every request in it; an agent sees its own. */
export function maySee(request: Request, actor: Actor): boolean {
  return actor.role !== 'agent' || request.submittedBy === actor.subject
}

function unknownState(found: unknown): string {
  return `state must be one of ${STATES.join(', ')}; found ${JSON.stringify(found)}`
}
