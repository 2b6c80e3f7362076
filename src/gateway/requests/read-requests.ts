/** Reading: what an actor may see, and what they may look at under a mask (P6, P9). */

import { mayApprove } from '../../core/authority.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { currentTerms, type Request, type RequestState, STATES } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { mayDecideAny } from '../../core/votes.ts'
import type { MaskedArguments } from '../../display/index.ts'
import type { ListQuery, Page } from '../../stores/store.ts'
import { type GatewayContext, unknownRequestId } from './change-request.ts'
import { refuseAttempt } from './refuse-attempt.ts'
import { type RequestBounds, requestBounds, uncover } from './uncover.ts'

export interface ReadVerbs {
  get(id: string, actor: Actor): Promise<Request>
  /** The request of a call; undefined where nobody was asked about it, or it is not this actor's to see. */
  find(call: { session: string; callId: string }, actor: Actor): Promise<Request | undefined>
  list(query: ListQuery, actor: Actor): Promise<Page<Request>>
  /** How many requests there are in the state. People only. */
  count(state: RequestState, actor: Actor): Promise<number>
  /** Whether this person could decide it now. */
  mayDecide(request: Request, actor: Actor): Promise<boolean>
  /** What hidden values ask of an approval by this person. */
  bounds(request: Request, actor: Actor, masked?: MaskedArguments): RequestBounds
  /** The arguments without their masks. It is on the record who looked. */
  reveal(id: string, actor: Actor): Promise<JsonObject>
}

export function createReadVerbs(hall: GatewayContext): ReadVerbs {
  async function mayDecide(request: Request, actor: Actor): Promise<boolean> {
    if (actor.role === 'agent') return false
    const session = await hall.store.sessions.get(request.session)
    return mayDecideAny(actor.subject, currentTerms(request).conditions, (subject, condition) =>
      mayApprove(subject, condition, hall.directory(), session),
    )
  }

  async function get(id: string, actor: Actor): Promise<Request> {
    const mark = hall.recent.mark(id)
    const request = await hall.store.get(id)
    if (request === undefined || !maySee(request, actor)) throw unknownRequestId(id)
    // Whoever looks at a request that waits is about to decide it.
    if (request.state === 'pending' && actor.role !== 'agent') hall.recent.keepRead(request, mark)
    return request
  }

  return {
    get,
    mayDecide,
    async find({ session, callId }, actor) {
      // The tool is only of interest to grants.
      const { known } = await hall.store.lookup(session, callId, '')
      const request = known?.request === undefined ? undefined : await hall.store.get(known.request)
      return request !== undefined && maySee(request, actor) ? request : undefined
    },
    bounds: (request, actor, masked) => requestBounds(hall, request, actor.subject, masked),
    async list(query, actor) {
      if (query.state !== undefined && !STATES.includes(query.state)) {
        throw new BanksmanError(
          'invalid',
          `state must be one of ${STATES.join(', ')}; found ${JSON.stringify(query.state)}`,
        )
      }
      // In the store's own query: a cursor, too, would tell an agent of others' requests.
      return hall.store.list(actor.role === 'agent' ? { ...query, submittedBy: actor.subject } : query)
    },
    async count(state, actor) {
      if (actor.role === 'agent')
        throw new BanksmanError('forbidden', "an agent's credential can't count requests of others")
      return hall.store.count(state)
    },
    async reveal(id, actor) {
      const request = await get(id, actor)
      if (!(await mayDecide(request, actor))) {
        throw await refuseAttempt(
          hall,
          request,
          actor,
          'not_yours',
          'only who may decide a request may look under its masks',
        )
      }
      if (request.bytes === '')
        throw new BanksmanError('unknown_id', 'the arguments were erased after their retention time')
      return uncover(hall, request, actor)
    },
  }
}

/** People of the namespace see every request in it; an agent sees its own. */
function maySee(request: Request, actor: Actor): boolean {
  return actor.role !== 'agent' || request.submittedBy === actor.subject
}
