/** What a model is told of a call, the same through every adapter. */

import type { Refusal } from '../core/conversation.ts'
import { defined } from '../core/defined.ts'
import { canonicalize } from '../core/json/json.ts'

/**
 * Of a call that did not run: always the same members, so that the model can tell a person's no from a mistake of its own, and
 * knows whether trying again makes sense. It takes a `Refused` as `guard` gives it.
 */
export function refusalText(tool: string, refusal: Omit<Refusal, 'request'>): string {
  const { state, because, by, mayRetry } = refusal
  return JSON.stringify({
    ran: false,
    tool,
    state,
    because,
    ...defined({ by }),
    tryAgain: mayRetry,
    advice: adviceFor(refusal),
  })
}

/** Of a call that ran with other arguments than the model wrote: a sentence to stand in front of the result. */
export function editText(by: string | undefined, edited: object): string {
  return `${by ?? 'A person'} changed the arguments of this call before it ran. It ran with ${canonicalize(edited)}.`
}

/** How often a call may be repeated to go on waiting. Models loop otherwise. */
const MAX_ROUNDS = 6

/**
 * Of a call that nobody has decided yet, for a model that can wait only by making it again. `times`: how often it was told so, this
 * time included.
 */
export function waitingText({ requestId, approvers, times }: UndecidedCall): string {
  const whom = approvers.length === 0 ? 'a person' : approvers.join(' or ')
  const what = requestId === undefined ? '' : ` (${requestId})`
  if (times < MAX_ROUNDS)
    return `Not refused: waiting for ${whom}${what}. Call the same tool with the same arguments again to go on waiting; do not try another way.`
  return `Not refused, but nobody has decided yet, and you have waited ${times} times. Stop, and tell the user that ${whom} must approve this call${what}. When that is done, make the same call with the same arguments again.`
}

export interface UndecidedCall {
  requestId?: string | undefined
  /** Who can decide: `ana`, `the group sre`. */
  approvers: readonly string[]
  times: number
}

function adviceFor({ state, mayRetry }: Omit<Refusal, 'request'>): string {
  switch (state) {
    case 'invalid':
      return 'Nothing ran. Correct the call as `because` says and make it again.'
    case 'rejected':
      return 'A person said no. Do not make the same call again: take the reason into account and think of another way, or ask.'
    case 'denied':
      return 'The rules do not allow it. Do not try to get around them: think of another way, or say what you would need.'
    case 'unknown':
    case 'running':
    case 'done':
      return 'It may have had its effect. Look at the state of things before doing anything like it again.'
    case 'skipped':
    case 'cancelled':
      return 'It was stopped before it ran. Wait for what the person says next.'
    case 'terminated':
      return 'The conversation is over.'
    default:
      return mayRetry
        ? 'Nobody said no; it could not be decided. It may make sense to try again later.'
        : 'It did not run. Think of another way, or say what is in the way.'
  }
}
