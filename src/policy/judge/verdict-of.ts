/** Makes a verdict of what was found: the strictest of it counts. */

import { APPROVAL_DECISIONS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import {
  type ApprovalCondition,
  type AskTerms,
  type AskVerdict,
  GRANT_WIDTHS,
  type GrantWidth,
  isHighRisk,
  SCOPES,
  SEVERITIES,
  type Verdict,
} from '../../core/verdict.ts'
import type { RuleLabel } from '../compile/compile-rules.ts'
import { isMode } from '../language/language.ts'
import { isInside } from '../matchers/inside-roots.ts'
import type { CallSubject } from '../subject/subject.ts'
import {
  type CallFindings,
  NOT_KNOWN,
  NOT_UNDERSTOOD,
  type RuleFinding,
  type UnallowedPart,
} from './findings.ts'
import { lineOnlyReads } from './judge-command.ts'
import { type CallRisk, riskOfCall } from './risk-of-call.ts'
import {
  allowReason,
  askReason,
  denialReason,
  modeAllowReason,
  modeDenialReason,
  unmatched,
} from './verdict-reasons.ts'

export interface VerdictOptions {
  /** As the session or the policy says it. */
  mode: string
  roots: readonly string[]
  /** The policy's own words for asking, cut at `{tool}`. */
  reason: readonly string[] | undefined
  /** Whether commands that only read are allowed. */
  starter?: boolean
}

export function verdictOf(judgement: CallFindings, subject: CallSubject, options: VerdictOptions): Verdict {
  const { denies, asks, allowed, left } = judgement
  const { tool } = subject.call
  const [denial] = denies
  if (denial !== undefined)
    return { kind: 'deny', ...told(denialReason(tool, denial)), rule: denial.rule.name }
  const byMode = left.length === 0 ? 'allow' : modeVerdict(options.mode, subject, options.roots)
  const modeRule = modeLabel(options.mode)
  if (byMode === 'deny') {
    const [first] = left
    const why =
      first !== undefined && isAskedFor(first, asks)
        ? reasonOf('why.only-asked', { what: tool })
        : unmatched(subject, first, options)
    return { kind: 'deny', ...told(modeDenialReason(options.mode, why)), rule: modeRule.name }
  }
  const asking =
    byMode === 'ask' && left.some((one) => !isAskedFor(one, asks)) ? [...asks, modeFinding(modeRule)] : asks
  if (asking.length > 0) return ask(subject, asking, left, options)
  if (left.length > 0)
    return { kind: 'allow', ...told(modeAllowReason(options.mode, tool)), rule: modeRule.name }
  return allow(tool, allowed)
}

/** What the mode does to a call that no list and no rule speaks of. */
export function modeVerdict(mode: string, subject: CallSubject, roots: readonly string[]): Verdict['kind'] {
  if (!isMode(mode)) return 'deny'
  const isStrange = subject.strange !== undefined
  switch (mode) {
    case 'default':
      return 'ask'
    case 'acceptEdits':
      return subject.entry?.kind === 'edit' && !isStrange && allInside(subject, roots) ? 'allow' : 'ask'
    case 'plan':
      if (isStrange) return 'deny'
      if (subject.entry?.kind === 'read') return allInside(subject, roots) ? 'allow' : 'deny'
      return subject.entry?.kind === 'shell' && lineOnlyReads(subject, roots) ? 'allow' : 'deny'
    case 'dontAsk':
      return 'deny'
    case 'bypass':
      return 'allow'
  }
}

function allInside(subject: CallSubject, roots: readonly string[]): boolean {
  return subject.parts.every(
    (part) => part.kind === 'path' && part.resolved !== undefined && isInside(part.resolved, roots),
  )
}

/** A rule that asks about the call, or about this part of it, asks in place of the mode. */
export function isAskedFor(one: UnallowedPart, asks: readonly RuleFinding[]): boolean {
  return asks.some(
    ({ rule, parts }) =>
      rule.kind === 'ask' &&
      rule !== NOT_UNDERSTOOD &&
      rule !== NOT_KNOWN &&
      (parts.length === 0 || (one.part !== undefined && parts.includes(one.part))),
  )
}

export function modeLabel(mode: string): RuleLabel {
  return { kind: 'ask', name: `mode: ${isMode(mode) ? mode : 'unknown'}`, pointer: undefined }
}

function modeFinding(rule: RuleLabel): RuleFinding {
  return { rule, holds: 'yes', parts: [] }
}

function ask(
  subject: CallSubject,
  asks: readonly RuleFinding[],
  left: readonly UnallowedPart[],
  options: VerdictOptions,
): AskVerdict {
  const rules = [...new Map(asks.map(({ rule }) => [rule.name, rule])).values()]
  return {
    kind: 'ask',
    ...told(askReason(subject, asks, left, options)),
    ...defined({ rule: rules[0]?.name }),
    terms: termsOf(rules, riskOfCall(subject)),
  }
}

/** All of them hold: every rule's approvers and quorum, and of the rest the strictest. */
function termsOf(rules: readonly RuleLabel[], { severity: danger, risk }: CallRisk): AskTerms {
  const terms = rules.map((rule) => rule.terms)
  const limits = terms.flatMap((one) => one?.expiresInMs ?? [])
  const claims = terms.flatMap((one) => one?.claimWithinMs ?? [])
  const severities = [danger ?? 'normal', ...terms.flatMap((one) => one?.severity ?? [])]
  const severity = SEVERITIES.findLast((one) => severities.includes(one)) ?? 'normal'
  // A rule is named where it says more than the call does by itself.
  const saying = severity === danger ? undefined : rules.find((rule) => rule.terms?.severity === severity)
  const chats = terms.flatMap((one) => one?.chats ?? [])
  const widest = GRANT_WIDTHS.find((width: GrantWidth) => terms.some((one) => one?.widestGrant === width))
  return {
    conditions: rules.map(conditionOf),
    allowedDecisions: APPROVAL_DECISIONS.filter((decision) =>
      terms.every((one) => one?.allowedDecisions?.includes(decision) ?? true),
    ),
    scopes: SCOPES.filter((scope) => terms.every((one) => one?.scopes?.includes(scope) ?? true)),
    severity,
    ...(isHighRisk(severity)
      ? defined({ risk: saying === undefined ? risk : reasonOf('risk.rule', { rule: saying.name }) })
      : {}),
    ...(limits.length > 0 ? { expiresInMs: Math.min(...limits) } : {}),
    ...(claims.length > 0 ? { claimWithinMs: Math.min(...claims) } : {}),
    ...defined({ widestGrant: widest }),
    ...(terms.some((one) => one?.askOutcome === true) ? { askOutcome: true as const } : {}),
    ...(chats.length > 0 ? { chats: [...new Set(chats)] } : {}),
  }
}

export function conditionOf({ name, terms }: RuleLabel): ApprovalCondition {
  return {
    rule: name,
    quorum: terms?.quorum ?? 1,
    ...(terms?.approvers === undefined ? {} : { approvers: terms.approvers }),
  }
}

function allow(tool: string, allowed: CallFindings['allowed']): Verdict {
  const rule = allowed[0]?.rule.name
  return { kind: 'allow', ...told(allowReason(tool, allowed)), ...defined({ rule }) }
}
