/** What `guard` gives back, and the words for what did not run. */
import type { Answers } from '../core/decision.ts'
import { type ErrorCode, isBanksmanError } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Request, RequestState } from '../core/request.ts'
import { isStoreFault } from './cancel.ts'

export type GuardResult<T, A extends object = JsonObject> =
  | (Ran<A> & { ok: true; value: T })
  | (Ran<A> & { ok: false; error: unknown })
  | Refused
  | { kind: 'answered'; text?: string; answers?: Answers; by: string; request: Request }
  /** Nobody has decided: the hold is over, or the caller's own signal ended it. The request goes on. */
  | { kind: 'pending'; because: 'hold_over' | 'aborted'; request: Request }

/** All but `kind` only where a person was asked. */
interface Ran<A extends object> {
  kind: 'ran'
  requestId?: string
  /** Who approved it; the last one, where several had to. */
  by?: string
  /** The arguments that it ran with, where a person changed them. */
  edited?: A
  /** The outcome is not on the record yet: the store could not be written in time. It is tried again meanwhile. */
  recorded?: false
}

export interface Refused {
  kind: 'refused'
  /** What became of the call: `denied` by the policy, a state of the request, or `error` where we could not go on. */
  state: 'denied' | 'error' | RequestState
  code: ErrorCode | 'denied' | RequestState
  because: string
  /** Who, where a person said no. */
  by?: string
  /** Whether the same call may make sense later. A person's or the policy's no is a no. */
  mayRetry: boolean
  request?: Request
}

/** What a request that is not approved means for the agent, in words that say what really happened. */
export function concluded(
  request: Request,
): Refused | { kind: 'answered'; text?: string; answers?: Answers; by: string; request: Request } {
  const { decision, cancelled, outcome } = request.progress
  if (request.state === 'answered' && decision !== undefined) {
    return {
      kind: 'answered',
      by: decision.by,
      request,
      ...(decision.text === undefined ? {} : { text: decision.text }),
      ...(decision.answers === undefined ? {} : { answers: decision.answers }),
    }
  }
  const words: Partial<Record<RequestState, string>> = {
    rejected: `${decision?.by} rejected it${decision?.reason ? `: ${decision.reason}` : ''}`,
    declined: `${decision?.by} declined to answer${decision?.reason ? `: ${decision.reason}` : ''}`,
    terminated: `${decision?.by} ended the session${decision?.reason ? `: ${decision.reason}` : ''}`,
    expired: 'nobody answered in time',
    unreachable: 'nobody who could answer can be reached',
    lapsed: 'it was approved but not run in time',
    cancelled: `it was cancelled by ${cancelled?.by}${cancelled?.reason ? `: ${cancelled.reason}` : ''}`,
    running: 'it is already running',
    unknown: 'it was started, and nobody knows what became of it; it is not run again',
    done: `it has already run: ${outcome?.kind}`,
  }
  return {
    kind: 'refused',
    state: request.state,
    code: request.state,
    because: words[request.state] ?? `the request is ${request.state}`,
    ...(decision === undefined ? {} : { by: decision.by }),
    mayRetry: MAY_RETRY.has(request.state),
    request,
  }
}

/** What runs comes to an end, and is told then. Of the others nobody said no. */
const MAY_RETRY: ReadonlySet<RequestState> = new Set(['expired', 'unreachable', 'lapsed', 'running'])

export function refusedBy(error: unknown): Refused {
  if (!isBanksmanError(error)) {
    const because = error instanceof Error ? error.message : String(error)
    return { kind: 'refused', state: 'error', code: 'internal', because, mayRetry: false }
  }
  return {
    kind: 'refused',
    state: 'error',
    code: error.code,
    because: error.message,
    mayRetry: isStoreFault(error) || error.code === 'too_many_pending',
  }
}
