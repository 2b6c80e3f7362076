/** Whether a decision is well formed, and one that the request takes. Nothing is changed by one that is not. */

import { DECISION_KINDS, type DecisionInput, type GrantTerms, MAX_GRANT_MS } from '../../core/decision.ts'
import { type MayApprove, mayDecideAny } from '../../core/decisions/votes.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Request, shownDigest } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { isDuration } from '../../core/time/duration.ts'
import { SCOPES } from '../../core/verdict.ts'
import { scopeNotAllowed } from '../grants/leave-grant.ts'

/** How many are decided at once. More than anyone reads before they press a button; all are one transaction. */
export const MAX_DECISIONS = 1000
const MAX_WORDS = 16 * 1024

export function checkDecisionShape(input: DecisionInput): void {
  const known = ['decision', 'digest', 'arguments', 'reason', 'text', 'answers', 'scope', 'grant']
  for (const key of Object.keys(input)) {
    if (!known.includes(key))
      invalid(`unknown field ${JSON.stringify(key)}; a decision has ${known.join(', ')}`)
  }
  if (!DECISION_KINDS.includes(input.decision)) {
    invalid(`decision must be one of ${DECISION_KINDS.join(', ')}; found ${JSON.stringify(input.decision)}`)
  }
  if (typeof input.digest !== 'string') invalid('digest must be the digest of the request as it was shown')
  if (input.scope !== undefined && !SCOPES.includes(input.scope)) {
    invalid(`scope must be once, session or always; found ${JSON.stringify(input.scope)}`)
  }
  for (const field of ['reason', 'text'] as const) {
    const value = input[field]
    if (value === undefined) continue
    if (typeof value === 'string' && value.length > MAX_WORDS)
      throw reasonedError('invalid_decision', reasonOf('problem.words-long', { field, limit: MAX_WORDS }))
    if (typeof value !== 'string' || !value.isWellFormed()) {
      invalid(`${field} must be a text of at most ${MAX_WORDS} characters`)
    }
  }
  if (input.decision === 'edit') {
    if (typeof input.arguments !== 'object' || input.arguments === null || Array.isArray(input.arguments)) {
      invalid('edit needs arguments: the whole object in place of the old one')
    }
  } else if (input.arguments !== undefined) {
    invalid(`${input.decision} takes no arguments; use edit to change them`)
  }
  if (input.decision === 'respond' && input.text === undefined)
    invalid("respond needs text: what the tool's result will be")
  if (input.decision === 'answer' && input.answers === undefined)
    invalid('answer needs answers, one for each question')
  if (input.grant !== undefined) checkGrantTerms(input.grant, input)
}

export function checkAllowed(request: Request, input: DecisionInput, may: MayApprove, actor: Actor): void {
  const terms = currentTerms(request)
  // An edit may have brought in rules that the actor was not an approver of when they were let in.
  if (!mayDecideAny(actor.subject, terms.conditions, may))
    throw reasonedError('not_yours', notYoursReason(request))
  if (!terms.allowedDecisions.includes(input.decision)) {
    const reason = reasonOf('problem.decision', {
      decision: reasonOf(`decision.${input.decision}`),
      allowed: terms.allowedDecisions.map((kind) => reasonOf(`decision.${kind}`)),
    })
    throw reasonedError('decision_not_allowed', reason, { allowed: terms.allowedDecisions })
  }
  if (input.scope !== undefined && !terms.scopes.includes(input.scope)) {
    throw scopeNotAllowed(input.scope, terms.scopes)
  }
}

export function notYoursReason(request: Request): Reason {
  const rules = currentTerms(request).conditions.map((condition) => condition.rule)
  return reasonOf('problem.others-decide', { rules })
}

export function digestMismatch(request: Request, found: string): BanksmanError {
  const digest = shownDigest(request)
  return reasonedError('digest_mismatch', reasonOf('problem.changed'), { digest, found })
}

const MAX_USES = 1_000_000
const MAX_SUGGESTION = 4096

function checkGrantTerms(terms: GrantTerms, { decision, scope }: DecisionInput): void {
  const known = ['suggestion', 'expiresInMs', 'uses', 'includeSubSessions']
  if (typeof terms !== 'object' || terms === null || Array.isArray(terms)) {
    invalid(`grant must be an object with some of ${known.join(', ')}`)
  }
  for (const key of Object.keys(terms)) {
    if (!known.includes(key))
      invalid(`grant has an unknown field ${JSON.stringify(key)}; it has ${known.join(', ')}`)
  }
  if (decision !== 'approve' && decision !== 'edit') {
    invalid(`${decision} leaves no grant behind; only approve and edit do`)
  }
  if (scope !== 'session' && scope !== 'always') {
    invalid('grant needs scope session or always beside it; once leaves nothing behind')
  }
  const { suggestion, expiresInMs, uses, includeSubSessions } = terms
  if (suggestion !== undefined && (typeof suggestion !== 'string' || suggestion.length > MAX_SUGGESTION)) {
    invalid("grant/suggestion must be the id of one of the request's suggestions, such as call or shape")
  }
  if (expiresInMs !== undefined && !isDuration(expiresInMs, MAX_GRANT_MS)) {
    invalid(
      `grant/expiresInMs must be a whole number of milliseconds from 1 to ${MAX_GRANT_MS} (365 days); found ${JSON.stringify(expiresInMs)}`,
    )
  }
  if (uses !== undefined && !isWhole(uses, MAX_USES)) {
    invalid(`grant/uses must be a whole number from 1 to ${MAX_USES}; found ${JSON.stringify(uses)}`)
  }
  if (includeSubSessions !== undefined && typeof includeSubSessions !== 'boolean') {
    invalid(`grant/includeSubSessions must be true or false; found ${JSON.stringify(includeSubSessions)}`)
  }
}

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
}

function invalid(message: string): never {
  throw new BanksmanError('invalid_decision', message)
}
