/**
 * Puts verdicts together. The strictest wins; when several ask, all of them hold (an edited call is asked for
 * under the rules of both calls).
 */

import { told } from '../../core/reasons/english.ts'
import { type Because, isSameReason, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import {
  type ApprovalCondition,
  type AskTerms,
  type AskVerdict,
  GRANT_WIDTHS,
  SEVERITIES,
  type Verdict,
} from '../../core/verdict.ts'

/** 0 allows, 1 asks, 2 denies. */
export function strictness(verdict: Verdict): number {
  return { allow: 0, ask: 1, deny: 2 }[verdict.kind]
}

export function strictest(first: Verdict, ...others: Verdict[]): Verdict {
  return others.reduce(stricterOf, first)
}

function stricterOf(a: Verdict, b: Verdict): Verdict {
  if (a.kind === 'ask' && b.kind === 'ask') return bothAsk(a, b)
  return strictness(b) > strictness(a) ? b : a
}

function bothAsk(a: AskVerdict, b: AskVerdict): AskVerdict {
  const { reason: _, because: __, ...rest } = a
  return { ...rest, ...bothTold(a, b), terms: bothTerms(a.terms, b.terms) }
}

function bothTold(a: Because, b: Because): Because {
  // What an earlier version wrote has no reason, and can't be compared.
  if (a.reason === undefined || b.reason === undefined) return { because: `${a.because}; ${b.because}` }
  if (isSameReason(a.reason, b.reason)) return toldOf(a)
  return told(reasonOf('ask.also', { first: a.reason, second: b.reason }))
}

function bothTerms(a: AskTerms, b: AskTerms): AskTerms {
  const limits = [a.expiresInMs, b.expiresInMs].filter((limit) => limit !== undefined)
  const chats = [...(a.chats ?? []), ...(b.chats ?? [])]
  const claims = [a.claimWithinMs, b.claimWithinMs].filter((limit) => limit !== undefined)
  return {
    conditions: [
      ...a.conditions,
      ...b.conditions.filter((one) => !a.conditions.some((other) => same(one, other))),
    ],
    allowedDecisions: a.allowedDecisions.filter((decision) => b.allowedDecisions.includes(decision)),
    scopes: a.scopes.filter((scope) => b.scopes.includes(scope)),
    severity: SEVERITIES.indexOf(b.severity) > SEVERITIES.indexOf(a.severity) ? b.severity : a.severity,
    ...(limits.length > 0 ? { expiresInMs: Math.min(...limits) } : {}),
    ...(claims.length > 0 ? { claimWithinMs: Math.min(...claims) } : {}),
    ...narrowest(a, b),
    ...(a.askOutcome === true || b.askOutcome === true ? { askOutcome: true as const } : {}),
    ...(chats.length > 0 ? { chats: [...new Set(chats)] } : {}),
  }
}

function narrowest(a: AskTerms, b: AskTerms): Pick<AskTerms, 'widestGrant'> {
  const widest = GRANT_WIDTHS.find((width) => a.widestGrant === width || b.widestGrant === width)
  return widest === undefined ? {} : { widestGrant: widest }
}

function same(a: ApprovalCondition, b: ApprovalCondition): boolean {
  return a.rule === b.rule && a.quorum === b.quorum && a.approvers?.join('\n') === b.approvers?.join('\n')
}
