/** What a request that did not run, or an error on the way, means for whoever wanted to run it. */

import { DEFAULT_APPROVERS, type Directory } from '../../core/authority.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { told } from '../../core/reasons/english.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { toldBy } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Request } from '../../core/request.ts'
import type { Answered, Asked, Refused } from '../../guard/contract.ts'
import { MAX_SUCCESSORS, mayBeAskedAgain } from '../lifecycle/successors.ts'
import { isStoreFault } from '../requests/store-fault.ts'

/** What a request that is not approved means for the agent, in words that say what really happened. */
export function toNotRun(request: Request): Refused | Answered {
  const { decision, outcome } = request.progress
  if (request.state === 'answered' && decision !== undefined) {
    return {
      kind: 'answered',
      by: decision.by,
      requestId: request.id,
      ...defined({ text: decision.text, answers: decision.answers }),
    }
  }
  const isLast = mayBeAskedAgain(request) && (request.predecessor?.count ?? 0) >= MAX_SUCCESSORS
  const why = whyNotRun(request)
  return {
    kind: 'refused',
    state: request.state,
    code: request.state,
    ...told(isLast ? reasonOf('refused.last', { why, count: MAX_SUCCESSORS + 1 }) : why),
    ...defined({ by: decision?.by }),
    mayRetry: !isLast && (request.state === 'running' || mayBeAskedAgain(request)),
    requestId: request.id,
    ...(outcome?.summary === undefined ? {} : { summary: outcome.summary }),
  }
}

function whyNotRun({ state, progress }: Request): Reason {
  const { decision, cancelled, outcome } = progress
  switch (state) {
    case 'rejected':
    case 'declined':
    case 'terminated':
    case 'cancelled': {
      const by = (state === 'cancelled' ? cancelled : decision)?.by ?? ''
      const why = state === 'cancelled' ? (cancelled?.why ?? cancelled?.reason) : decision?.reason
      return why ? reasonOf(`refused.${state}-because`, { by, why }) : reasonOf(`refused.${state}`, { by })
    }
    case 'done':
      return outcome === undefined
        ? reasonOf('refused.ran')
        : reasonOf('refused.done', { outcome: reasonOf(`outcome.${outcome.kind}`) })
    case 'expired':
    case 'unreachable':
    case 'lapsed':
    case 'running':
    case 'unknown':
      return reasonOf(`refused.${state}`)
    default:
      return reasonOf('request.is', { state: reasonOf(`state.${state}`) })
  }
}

/** What is told of a request that is open, or was. */
export function toAsked(request: Request, directory: Directory, now: number): Asked {
  const { id, state, predecessor, deadline } = request
  const expiresInMs = state === 'pending' && deadline !== null ? Math.max(0, deadline - now) : undefined
  return {
    requestId: id,
    state,
    ...toldOf(request),
    approvers: approverNames(request, directory),
    ...defined({ predecessor: predecessor?.id, expiresInMs }),
  }
}

/** Who can decide, as an agent may know them: the people and groups that the rules name. */
export function approverNames(request: Request, { owner }: Directory): string[] {
  const named = currentTerms(request).conditions.flatMap(
    ({ approvers }) => approvers ?? DEFAULT_APPROVERS.slice(0, 1),
  )
  const names = named.map((name) => {
    if (name === 'owner') return owner
    return name.startsWith('group:') ? `the group ${name.slice('group:'.length)}` : name
  })
  return [...new Set(names)]
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
    ...toldBy(error),
    mayRetry: isStoreFault(error) || error.code === 'too_many_pending',
  }
}
