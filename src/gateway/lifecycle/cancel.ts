/**
 * `cancel`: the agent withdraws its request, or a person calls an approval back. Stopping never waits (P5): in this
 * process it takes effect at once, and it is recorded as soon as that can be done.
 */

import { mayApprove } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { type CancelCause, currentTerms, LIVE_STATES, type Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { mayDecideAny } from '../../core/votes.ts'
import {
  changeRequest,
  type GatewayContext,
  stopReason,
  unknownRequestId,
} from '../requests/change-request.ts'
import { refuseAttempt } from '../requests/refuse-attempt.ts'
import { isStoreFault } from '../requests/store-fault.ts'

export interface CancelInput {
  reason?: string
  /** The agent's turn was interrupted, rather than the call withdrawn. */
  interrupted?: boolean
}

export interface Cancelled {
  request: Request
  /** False: it has taken effect here, and the record will follow when the store can be reached. */
  recorded: boolean
}

export type CancelVerb = (id: string, input: CancelInput, actor: Actor) => Promise<Cancelled>

const RETRY_MS = 1000
const MAX_REASON = 16 * 1024

export function createCancel(hall: GatewayContext): CancelVerb {
  async function record(
    id: string,
    cause: CancelCause,
    actor: Actor,
    reason: string | undefined,
  ): Promise<Request> {
    const about = { by: actor.subject, cause, ...defined({ reason }) }
    const { request } = await changeRequest(
      hall,
      id,
      () => ({ kind: 'cancel', ...about }),
      (_, __, next) => ({
        type: next.to === 'running' ? 'request.stopped' : 'request.cancelled',
        members: { ...about, state: next.to },
      }),
    )
    hall.stopped.delete(id)
    return request
  }

  function recordLater(id: string, cause: CancelCause, actor: Actor, reason: string | undefined): void {
    hall.clock.after(RETRY_MS, () => {
      if (hall.closed()) return
      record(id, cause, actor, reason).catch((error) => {
        if (isStoreFault(error)) recordLater(id, cause, actor, reason)
        else hall.stopped.delete(id)
      })
    })
  }

  return async (id, input, actor) => {
    const { reason } = input
    if (
      reason !== undefined &&
      (typeof reason !== 'string' || reason.length > MAX_REASON || !reason.isWellFormed())
    ) {
      throw new BanksmanError('invalid', `reason must be a text of at most ${MAX_REASON} characters`)
    }
    const request = await find(hall, id, actor).catch((error) => {
      if (!isStoreFault(error) || hall.running.get(id)?.by !== actor.subject) throw error
      return hall.running.get(id)!.request
    })
    const byAgent = request.submittedBy === actor.subject
    const cause: CancelCause = input.interrupted === true ? 'interrupted' : byAgent ? 'withdrawn' : 'revoked'
    stopHere(hall, request, cause, actor, reason)
    try {
      return { request: await record(id, cause, actor, reason), recorded: true }
    } catch (error) {
      // What had ended before was not stopped by this, and must not be told as if it were (P5).
      if (!isStoreFault(error) || !LIVE_STATES.includes(request.state)) {
        hall.stopped.delete(id)
        throw error
      }
      hall.report({ doing: 'recording a cancellation', error })
      recordLater(id, cause, actor, reason)
      return { request: cancelledView(request, cause, actor, reason), recorded: false }
    }
  }
}

/** A runner in this process need not wait for the store to hear that it must stop. */
function stopHere(
  hall: GatewayContext,
  request: Request,
  cause: CancelCause,
  actor: Actor,
  reason: string | undefined,
): void {
  if (!LIVE_STATES.includes(request.state)) return
  hall.stopped.set(request.id, { by: actor.subject, ...defined({ reason }) })
  const view = cancelledView(request, cause, actor, reason)
  hall.running.get(request.id)?.stop(stopReason(view))
  if (view.state === 'cancelled') hall.waiters.wake(view)
}

function cancelledView(
  request: Request,
  cause: CancelCause,
  actor: Actor,
  reason: string | undefined,
): Request {
  const why = { by: actor.subject, ...defined({ reason }) }
  const state = request.state === 'running' ? 'running' : 'cancelled'
  return { ...request, state, progress: { ...request.progress, cancelled: { cause, ...why } } }
}

async function find(hall: GatewayContext, id: string, actor: Actor): Promise<Request> {
  const request = await hall.store.get(id)
  if (request === undefined) throw unknownRequestId(id)
  if (request.submittedBy === actor.subject) return request
  if (actor.role === 'agent') throw unknownRequestId(id)
  const session = await hall.store.sessions.get(request.session)
  const may = mayDecideAny(actor.subject, currentTerms(request).conditions, (subject, condition) =>
    mayApprove(subject, condition, hall.directory(), session),
  )
  if (!may)
    throw await refuseAttempt(hall, request, actor, 'not_yours', 'you may see this request but not cancel it')
  return request
}
