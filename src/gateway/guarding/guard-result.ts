/** What a request that did not run, or an error on the way, means for whoever wanted to run it. */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Request, RequestState } from '../../core/request.ts'
import type { Answered, Asked, Refused } from '../../guard/contract.ts'
import { MAX_SUCCESSORS, mayBeAskedAgain } from '../lifecycle/successors.ts'
import { isStoreFault } from '../requests/store-fault.ts'

/** What a request that is not approved means for the agent, in words that say what really happened. */
export function toNotRun(request: Request): Refused | Answered {
  const { decision, cancelled, outcome } = request.progress
  if (request.state === 'answered' && decision !== undefined) {
    return {
      kind: 'answered',
      by: decision.by,
      requestId: request.id,
      ...defined({ text: decision.text, answers: decision.answers }),
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
  const isLast = mayBeAskedAgain(request) && (request.predecessor?.count ?? 0) >= MAX_SUCCESSORS
  return {
    kind: 'refused',
    state: request.state,
    code: request.state,
    because: `${words[request.state] ?? `the request is ${request.state}`}${isLast ? `; it was asked ${MAX_SUCCESSORS + 1} times and isn't asked again` : ''}`,
    ...defined({ by: decision?.by }),
    mayRetry: !isLast && (request.state === 'running' || mayBeAskedAgain(request)),
    requestId: request.id,
    ...(outcome?.summary === undefined ? {} : { summary: outcome.summary }),
  }
}

/** What is told of a request that is open, or was. */
export function toAsked({ id, state, because, predecessor }: Request): Asked {
  return { requestId: id, state, because, ...defined({ predecessor: predecessor?.id }) }
}

export function toRefused(error: unknown): Refused {
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
