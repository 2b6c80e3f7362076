/** Waits where a person has to decide, then claims. */
import { defined } from '../../core/defined.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { NotRun, Replayed } from '../../guard/contract.ts'
import type { Host } from '../host.ts'
import { type Joins, joinWaiterId } from '../lifecycle/join-request.ts'
import type { WaitVerb } from '../lifecycle/wait.ts'
import type { ConcludeCall } from './conclude-call.ts'
import type { ClaimedCall, TakenCall, TakeOptions } from './taken-call.ts'

export interface AwaitDecisionPorts {
  wait: WaitVerb
  conclude: ConcludeCall
  joins: Pick<Joins, 'keep'>
  host: Pick<Host, 'trace'>
}

export type AwaitDecision = (
  begun: Extract<TakenCall, { kind: 'wait' | 'decided' }>,
  taking: TakeOptions,
  actor: Actor,
) => Promise<ClaimedCall | Replayed | NotRun>

export function createAwaitDecision({ wait, conclude, joins, host }: AwaitDecisionPorts): AwaitDecision {
  /** Who stops waiting is given the request as it is; the request itself goes on. */
  function waitFor(id: string, tool: string, taking: TakeOptions): Promise<Request> {
    const { holdMs, signal, joinToken, key, callId, handOver } = taking
    const hold = defined({ holdMs, signal })
    const waiting = () =>
      signal === undefined
        ? wait(id, hold)
        : wait(id, hold).catch((error) => (signal.aborted ? wait(id, { holdMs: 0 }) : Promise.reject(error)))
    const isJoining = joinToken !== undefined && key !== undefined && callId !== undefined
    const place = isJoining ? joins.keep(id, joinWaiterId(callId, key)) : undefined
    /** Nobody comes back with a key that nobody else knows: whoever makes the call again takes its place. */
    const isOver = (request: Request) => taking.madeUp === true && request.state === 'pending'
    const waited = async () => {
      let request: Request | undefined
      try {
        request = await waiting()
        return request
      } finally {
        const isGone = signal?.aborted === true || handOver || (request !== undefined && isOver(request))
        await place?.leave(isGone ? 'for good' : 'to come back')
      }
    }
    if (host.trace === undefined) return waited()
    return host.trace('banksman.wait', { 'banksman.request': id, 'banksman.tool': tool }, waited)
  }

  return (begun, taking, actor) =>
    begun.kind === 'decided'
      ? conclude(begun.request, actor, taking)
      : waitFor(begun.id, begun.tool, taking).then((request) => conclude(request, actor, taking))
}
