/**
 * Checks the value under `policy:`. A policy that is not understood in full is refused as a whole: a misspelt
 * `deny` that was skipped would allow. Conditions and patterns are checked where they are compiled.
 */

import { APPROVAL_DECISIONS, type DecisionKind } from '../../core/decision.ts'
import { MODES, type Mode } from '../../core/session.ts'
import { checkEach, checkTogether } from '../../core/support/mistakes.ts'
import { DURATION, parseDuration } from '../../core/time/duration.ts'
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
    'the policy',
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
  if (!Array.isArray(value)) return [checkWord(value, KNOWN_POLICIES, 'policy to extend', '/extends')]
  return checkList(value, 'extends', '/extends', (entry, at) =>
    checkWord(entry, KNOWN_POLICIES, 'policy to extend', at),
  )
}

function checkPatterns(value: unknown, key: string): string[] {
  if (!Array.isArray(value)) {
    throwInvalidPolicy(
      `${key} must be a list of tool names, [] for none; found ${describeValue(value)}`,
      `/${key}`,
    )
  }
  return checkList(value, key, `/${key}`, (entry, pointer) => checkPattern(entry, pointer))
}

function checkPattern(value: unknown, pointer: string): string {
  const at = pointer.slice(1).replace('/', '[').concat(']')
  if (typeof value !== 'string')
    throwInvalidPolicy(`${at} must be a tool's name, * for anything; found ${describeValue(value)}`, pointer)
  if (value === '')
    throwInvalidPolicy(
      `${at} is empty and would match no tool; write its name, or "*" for every tool`,
      pointer,
    )
  if (value.length > MAX_TEXT)
    throwInvalidPolicy(`${at} is ${value.length} characters long; the limit is ${MAX_TEXT}`, pointer)
  if (!value.isWellFormed())
    throwInvalidPolicy(`${at} has a lone surrogate, which no tool's name has`, pointer)
  return value
}

const RULE_CHECKS = {
  name: (given: unknown, at: string) => checkText(given, 'the name of a rule', at, 200),
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
  const rule = checkMembers(value, { ...RULE_CHECKS, ...ASK_CHECKS }, 'a rule', at)
  const stray = ASK_KEYS.filter((key) => rule[key] !== undefined)
  const [name, then] = checkTogether(
    () => rule.name ?? RULE_CHECKS.name(rule.name, `${at}/name`),
    () => rule.then ?? RULE_CHECKS.then(rule.then, `${at}/then`),
    () => rule.when ?? whenIsMissing(rule.name, at),
    () =>
      checkEach(
        (rule.then === 'ask' || rule.then === undefined ? [] : stray).map(
          (key) => () =>
            throwInvalidPolicy(
              `${key} belongs to rules that ask; this one says then: ${rule.then}`,
              `${at}/${key}`,
            ),
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
  throwInvalidPolicy(`askOutcome must be true or false; found ${describeValue(given)}`, at)
}

function whenIsMissing(name: string | undefined, at: string): never {
  const rule = name === undefined ? 'the rule' : `rule ${JSON.stringify(name)}`
  throwInvalidPolicy(`${rule} has no when; to mean every call, write when: { tool: "*" }`, at)
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
    throwInvalidPolicy(
      `two rules are named ${JSON.stringify(name)}; a name tells grants and people which one is meant`,
      at,
    )
  }
  // Such a name would look like an entry of a list, a mode or what is built in.
  if (/^(?:deny|ask|allow|mode|built-in|starter|grant)\b/.test(name)) {
    throwInvalidPolicy(
      `a rule can't be named ${JSON.stringify(name)}: names that begin so are those of lists, modes and built-in rules`,
      at,
    )
  }
}

function checkApprovers(value: unknown, at: string): string[] {
  const list = checkList(value, 'approvers', at, (entry, pointer) => {
    const who = checkText(entry, 'an approver', pointer, 200)
    if (!/^(?:group:)?[^\p{C}\p{Z}:]+$/u.test(who)) {
      throwInvalidPolicy(
        `an approver is written ana, group:sre or owner; found ${JSON.stringify(who)}`,
        pointer,
      )
    }
    return who
  })
  if (list.length === 0) throwInvalidPolicy('approvers is empty, and nobody could approve; name someone', at)
  return list
}

function checkChat(value: unknown, at: string): string {
  if (typeof value === 'string' && /^[a-z][a-z-]{0,31}:[^\p{C}\p{Z}]{1,128}$/u.test(value)) return value
  return throwInvalidPolicy(
    `chat names a service and the id of a chat in it, as in telegram:-1001234567890; found ${JSON.stringify(value) ?? 'nothing'}`,
    at,
  )
}

function checkQuorum(value: unknown, at: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 100) return value
  return throwInvalidPolicy(
    `quorum must be a whole number from 1 to 100; found ${JSON.stringify(value) ?? 'nothing'}`,
    at,
  )
}

/** A question that waits longer than a year is forgotten, not decided; an approval that waits longer than a week is. */
function checkDuration(value: unknown, at: string, key: string, maxDays: number): number {
  const ms = typeof value === 'string' && DURATION.test(value) ? parseDuration(value) : 0
  if (ms > 0 && ms <= maxDays * DAY_MS) return ms
  return throwInvalidPolicy(
    `${key} must be a number with a unit: ms, s, m, h or d, as in 15m, at most ${maxDays}d; found ${JSON.stringify(value) ?? 'nothing'}`,
    at,
  )
}

const MAX_CLAIM_DAYS = MAX_CLAIM_WITHIN_MS / 86_400_000
const DAY_MS = 86_400_000

/** A person can always say no, and end what must not go on. */
function checkDecisions(value: unknown, at: string): DecisionKind[] {
  const named = checkList(value, 'allowedDecisions', at, (entry, pointer) =>
    checkWord(entry, APPROVAL_DECISIONS, 'decision', pointer),
  )
  return APPROVAL_DECISIONS.filter(
    (decision) => named.includes(decision) || decision === 'reject' || decision === 'terminate',
  )
}

function checkScopes(value: unknown, at: string): GrantScope[] {
  const named = checkList(value, 'scopes', at, (entry, pointer) => checkWord(entry, SCOPES, 'scope', pointer))
  return SCOPES.filter((scope) => named.includes(scope) || scope === 'once')
}
