/**
 * `cancel`: the agent withdraws its request, or a person calls an approval back. Stopping never waits (P5): in this
 * process it takes effect at once, and it is recorded as soon as that can be done.
 */

import { mayDecideAny } from '../../core/decisions/votes.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { type CancelCause, currentTerms, LIVE_STATES, type Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Authority } from '../requests/authority.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { stopReason, unknownRequestId } from '../requests/request-refusals.ts'
import type { RunningCalls } from '../requests/running-calls.ts'
import { isStoreFault } from '../requests/store-fault.ts'
import type { Waiters } from '../requests/waiters.ts'

export interface CancelOptions {
  reason?: string
  /** The agent's turn was interrupted, rather than the call withdrawn. */
  interrupted?: boolean
}

export interface Cancelled {
  request: Request
  /** False: it has taken effect here, and the record will follow when the store can be reached. */
  recorded: boolean
}

export type CancelVerb = (id: string, input: CancelOptions, actor: Actor) => Promise<Cancelled>

const RETRY_MS = 1000
const MAX_REASON = 16 * 1024

export interface CancelPorts {
  store: Pick<Store, 'get' | 'sessions'>
  changes: RequestChanges
  running: RunningCalls
  waiters: Waiters
  authority: Authority
  host: Pick<Host, 'clock' | 'closed' | 'report'>
}

/** Who stops which request, and why. */
interface Cancelling {
  id: string
  cause: CancelCause
  by: string
  reason: string | undefined
}

export function createCancel({ store, changes, running, waiters, authority, host }: CancelPorts): CancelVerb {
  async function record({ id, cause, by, reason }: Cancelling): Promise<Request> {
    const about = { by, cause, ...defined({ reason }) }
    const { request } = await changes.change(id, () => ({
      event: { kind: 'cancel', ...about },
      describe: (next) => ({
        type: next.to === 'running' ? 'request.stopped' : 'request.cancelled',
        members: { ...about, state: next.to },
      }),
    }))
    running.forgetStopped(id)
    return request
  }

  function recordLater(cancelling: Cancelling): void {
    host.clock.after(RETRY_MS, () => {
      if (host.closed()) return
      record(cancelling).catch((error) => {
        if (isStoreFault(error)) recordLater(cancelling)
        else running.forgetStopped(cancelling.id)
      })
    })
  }

  /** A runner in this process need not wait for the store to hear that it must stop. */
  function stopHere(request: Request, cancelling: Cancelling): void {
    if (!LIVE_STATES.includes(request.state)) return
    const { by, reason } = cancelling
    running.markStopped(request.id, { by, ...defined({ reason }) })
    const view = cancelledView(request, cancelling)
    running.get(request.id)?.stop(stopReason(view))
    if (view.state === 'cancelled') waiters.wake(view)
  }

  async function find(id: string, actor: Actor): Promise<Request> {
    const request = await store.get(id)
    if (request === undefined) throw unknownRequestId(id)
    if (request.submittedBy === actor.subject) return request
    if (actor.role === 'agent') throw unknownRequestId(id)
    const session = await store.sessions.get(request.session)
    if (!mayDecideAny(actor.subject, currentTerms(request).conditions, authority.may(session)))
      throw await authority.refuse(request, actor, 'not_yours', reasonOf('problem.others-cancel'))
    return request
  }

  return async (id, input, actor) => {
    const { reason } = input
    if (
      reason !== undefined &&
      (typeof reason !== 'string' || reason.length > MAX_REASON || !reason.isWellFormed())
    ) {
      throw new BanksmanError('invalid', `reason must be a text of at most ${MAX_REASON} characters`)
    }
    const request = await find(id, actor).catch((error) => {
      const call = running.get(id)
      if (!isStoreFault(error) || call?.by !== actor.subject) throw error
      return call.request
    })
    const byAgent = request.submittedBy === actor.subject
    const cause: CancelCause = input.interrupted === true ? 'interrupted' : byAgent ? 'withdrawn' : 'revoked'
    const cancelling = { id, cause, by: actor.subject, reason }
    stopHere(request, cancelling)
    try {
      return { request: await record(cancelling), recorded: true }
    } catch (error) {
      // What had ended before was not stopped by this, and must not be told as if it were (P5).
      if (!isStoreFault(error) || !LIVE_STATES.includes(request.state)) {
        running.forgetStopped(id)
        throw error
      }
      host.report({ doing: 'recording a cancellation', error })
      recordLater(cancelling)
      return { request: cancelledView(request, cancelling), recorded: false }
    }
  }
}

function cancelledView(request: Request, { cause, by, reason }: Cancelling): Request {
  const cancelled = { cause, by, ...defined({ reason }) }
  const state = request.state === 'running' ? 'running' : 'cancelled'
  return { ...request, state, progress: { ...request.progress, cancelled } }
}
