/**
 * Checks the value under `policy:`. A policy that is not understood in full is refused as a whole: a misspelt
 * `deny` that was skipped would allow. Conditions and patterns are checked where they are compiled.
 */

import { APPROVAL_DECISIONS, type DecisionKind } from '../../core/decision.ts'
import type { ReasonValue } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { MODES, type Mode } from '../../core/session.ts'
import { checkEach, checkTogether } from '../../core/support/mistakes.ts'
import { durationIn } from '../../core/time/duration.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
import type { GrantScope, GrantWidth, Severity, VerdictKind } from '../../core/verdict.ts'
import { GRANT_WIDTHS, SCOPES, SEVERITIES } from '../../core/verdict.ts'
import {
  checkList,
  checkMembers,
  checkText,
  checkWord,
  describeValue,
  MAX_TEXT,
  throwInvalidPolicy,
} from './block-checks.ts'
import { checkPolicyTest } from './check-policy-test.ts'
import type { PolicyTest } from './language.ts'

/** The block after it was checked. Lists that were not there are empty. */
export interface CheckedBlock {
  extends: string[]
  /** Undefined: what it extends says, else `default`. */
  mode: Mode | undefined
  deny: string[]
  ask: string[]
  allow: string[]
  rules: CheckedRule[]
  reason: string | undefined
  tests: PolicyTest[]
}

export interface CheckedRule {
  name: string
  /** Compiled by `compile-when.ts`, which checks it. */
  when: unknown
  then: VerdictKind
  reason: string | undefined
  approvers: string[] | undefined
  quorum: number
  expiresInMs: number | undefined
  claimWithinMs: number | undefined
  allowedDecisions: DecisionKind[] | undefined
  scopes: GrantScope[] | undefined
  severity: Severity | undefined
  widestGrant: GrantWidth | undefined
  askOutcome: boolean | undefined
  chat: string | undefined
}

const KNOWN_POLICIES: readonly string[] = ['banksman:starter']

export function checkPolicyBlock(block: unknown): CheckedBlock {
  const found = checkMembers(
    block,
    {
      extends: checkExtends,
      mode: (given, pointer) => checkWord(given, MODES, 'mode', pointer),
      deny: (given) => checkPatterns(given, 'deny'),
      ask: (given) => checkPatterns(given, 'ask'),
      allow: (given) => checkPatterns(given, 'allow'),
      rules: checkRules,
      reason: (given, pointer) => checkText(given, 'reason', pointer),
      tests: (given, pointer) => checkList(given, 'tests', pointer, checkPolicyTest),
    },
    reasonOf('what.policy'),
    '',
  )
  const { deny = [], ask = [], allow = [], rules = [], tests = [] } = found
  return {
    extends: found.extends ?? [],
    mode: found.mode,
    deny,
    ask,
    allow,
    rules,
    reason: found.reason,
    tests,
  }
}

function checkExtends(value: unknown): string[] {
  if (!Array.isArray(value)) return [checkWord(value, KNOWN_POLICIES, reasonOf('what.extended'), '/extends')]
  return checkList(value, 'extends', '/extends', (entry, at) =>
    checkWord(entry, KNOWN_POLICIES, reasonOf('what.extended'), at),
  )
}

function checkPatterns(value: unknown, key: string): string[] {
  if (!Array.isArray(value)) {
    throwInvalidPolicy(reasonOf('wrong.tool-list', { what: key, found: describeValue(value) }), `/${key}`)
  }
  return checkList(value, key, `/${key}`, (entry, pointer) => checkPattern(entry, pointer))
}

function checkPattern(value: unknown, pointer: string): string {
  const at = pointer.slice(1).replace('/', '[').concat(']')
  if (typeof value !== 'string')
    throwInvalidPolicy(reasonOf('wrong.tool-name', { what: at, found: describeValue(value) }), pointer)
  if (value === '') throwInvalidPolicy(reasonOf('wrong.tool-empty', { what: at }), pointer)
  if (value.length > MAX_TEXT)
    throwInvalidPolicy(reasonOf('wrong.long', { what: at, length: value.length, limit: MAX_TEXT }), pointer)
  if (!value.isWellFormed()) throwInvalidPolicy(reasonOf('wrong.tool-surrogate', { what: at }), pointer)
  return value
}

const RULE_CHECKS = {
  name: (given: unknown, at: string) => checkText(given, reasonOf('what.rule-name'), at, 200),
  // Compiled, and with that checked, by those who know the tools.
  when: (given: unknown) => given,
  then: (given: unknown, at: string) => checkWord(given, ['allow', 'ask', 'deny'] as const, 'then', at),
  reason: (given: unknown, at: string) => checkText(given, 'reason', at),
}

/** What only a rule that asks can say. */
const ASK_CHECKS = {
  approvers: checkApprovers,
  quorum: checkQuorum,
  expiresIn: (given: unknown, at: string) => checkDuration(given, at, 'expiresIn', 365),
  claimWithin: (given: unknown, at: string) => checkDuration(given, at, 'claimWithin', MAX_CLAIM_DAYS),
  allowedDecisions: checkDecisions,
  scopes: checkScopes,
  severity: (given: unknown, at: string) => checkWord(given, SEVERITIES, 'severity', at),
  widestGrant: (given: unknown, at: string) => checkWord(given, GRANT_WIDTHS, 'widestGrant', at),
  askOutcome: checkFlag,
  chat: checkChat,
}

const ASK_KEYS = Object.keys(ASK_CHECKS) as (keyof typeof ASK_CHECKS)[]

function checkRules(value: unknown, at: string): CheckedRule[] {
  const [rules] = checkTogether(
    () => checkList(value, 'rules', at, checkRule),
    () => checkNames(value),
  )
  return rules
}

function checkRule(value: unknown, at: string): CheckedRule {
  const rule = checkMembers(value, { ...RULE_CHECKS, ...ASK_CHECKS }, reasonOf('what.rule'), at)
  const stray = ASK_KEYS.filter((key) => rule[key] !== undefined)
  const [name, then] = checkTogether(
    () => rule.name ?? RULE_CHECKS.name(rule.name, `${at}/name`),
    () => rule.then ?? RULE_CHECKS.then(rule.then, `${at}/then`),
    () => rule.when ?? whenIsMissing(rule.name, at),
    () =>
      checkEach(
        (rule.then === 'ask' || rule.then === undefined ? [] : stray).map(
          (key) => () =>
            throwInvalidPolicy(reasonOf('wrong.ask-only', { key, then: rule.then ?? '' }), `${at}/${key}`),
        ),
      ),
  )
  return {
    name,
    when: rule.when,
    then,
    reason: rule.reason,
    approvers: rule.approvers,
    quorum: rule.quorum ?? 1,
    expiresInMs: rule.expiresIn,
    claimWithinMs: rule.claimWithin,
    allowedDecisions: rule.allowedDecisions,
    scopes: rule.scopes,
    severity: rule.severity,
    widestGrant: rule.widestGrant,
    askOutcome: rule.askOutcome,
    chat: rule.chat,
  }
}

function checkFlag(given: unknown, at: string): boolean {
  if (typeof given === 'boolean') return given
  throwInvalidPolicy(reasonOf('wrong.flag', { what: 'askOutcome', found: describeValue(given) }), at)
}

function whenIsMissing(name: string | undefined, at: string): never {
  const right = '{ tool: "*" }'
  const why =
    name === undefined
      ? reasonOf('wrong.no-when', { right })
      : reasonOf('wrong.rule-no-when', { rule: JSON.stringify(name), right })
  throwInvalidPolicy(why, at)
}

/** Of the rules as they are written: another mistake in one of them doesn't make its name another. */
function checkNames(rules: unknown): void {
  const names = Array.from(
    Array.isArray(rules) ? rules : [],
    (rule) => (rule as { name?: unknown } | null)?.name,
  )
  const seen = new Set<unknown>()
  checkEach(
    names.map((name, index) => () => {
      const isTaken = seen.has(name)
      seen.add(name)
      checkName(name, isTaken, `/rules/${index}/name`)
    }),
  )
}

function checkName(name: unknown, isTaken: boolean, at: string): void {
  if (typeof name !== 'string') return
  if (isTaken) {
    throwInvalidPolicy(reasonOf('wrong.same-name', { name: JSON.stringify(name) }), at)
  }
  // Such a name would look like an entry of a list, a mode or what is built in.
  if (/^(?:deny|ask|allow|mode|built-in|starter|grant)\b/.test(name)) {
    throwInvalidPolicy(reasonOf('wrong.reserved-name', { name: JSON.stringify(name) }), at)
  }
}

function checkApprovers(value: unknown, at: string): string[] {
  const list = checkList(value, 'approvers', at, (entry, pointer) => {
    const who = checkText(entry, reasonOf('what.approver'), pointer, 200)
    if (!/^(?:group:)?[^\p{C}\p{Z}:]+$/u.test(who)) {
      throwInvalidPolicy(reasonOf('wrong.approver', { found: JSON.stringify(who) }), pointer)
    }
    return who
  })
  if (list.length === 0) throwInvalidPolicy(reasonOf('wrong.no-approvers'), at)
  return list
}

function checkChat(value: unknown, at: string): string {
  if (typeof value === 'string' && /^[a-z][a-z-]{0,31}:[^\p{C}\p{Z}]{1,128}$/u.test(value)) return value
  return throwInvalidPolicy(reasonOf('wrong.chat', { found: written(value) }), at)
}

function written(value: unknown): ReasonValue {
  return JSON.stringify(value) ?? reasonOf('found.nothing')
}

function checkQuorum(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100) return value
  return throwInvalidPolicy(reasonOf('wrong.quorum', { found: written(value) }), at)
}

/** A question that waits longer than a year is forgotten, not decided; an approval that waits longer than a week is. */
function checkDuration(value: unknown, at: string, key: string, maxDays: number): number {
  const ms = typeof value === 'string' ? durationIn(value, maxDays * DAY_MS) : undefined
  if (ms !== undefined) return ms
  return throwInvalidPolicy(
    reasonOf('wrong.duration', { what: key, days: maxDays, found: written(value) }),
    at,
  )
}

const MAX_CLAIM_DAYS = MAX_CLAIM_WITHIN_MS / 86_400_000
const DAY_MS = 86_400_000

/** A person can always say no, and end what must not go on. */
function checkDecisions(value: unknown, at: string): DecisionKind[] {
  const named = checkList(value, 'allowedDecisions', at, (entry, pointer) =>
    checkWord(entry, APPROVAL_DECISIONS, reasonOf('what.decision'), pointer),
  )
  return APPROVAL_DECISIONS.filter(
    (decision) => named.includes(decision) || decision === 'reject' || decision === 'terminate',
  )
}

function checkScopes(value: unknown, at: string): GrantScope[] {
  const named = checkList(value, 'scopes', at, (entry, pointer) =>
    checkWord(entry, SCOPES, reasonOf('what.scope'), pointer),
  )
  return SCOPES.filter((scope) => named.includes(scope) || scope === 'once')
}
