/** Conditions on arguments that are right and probably mean something else than was meant. */

import type { JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isRegexEverFound } from '../../core/regex/regex.ts'
import type { VerdictKind } from '../../core/verdict.ts'
import { describeValue } from '../language/block-checks.ts'
import type { ArgumentCondition, WhenBlock } from '../language/language.ts'
import { compileCondition } from '../matchers/condition.ts'
import { quoted } from './policy-warning.ts'

/** What is odd about a condition, and where it stands in the block. */
interface OddCondition {
  why: Reason
  pointer: string
}

/** @param at Where the `when` stands. */
export function conditionWarnings(when: WhenBlock, then: VerdictKind, at: string): OddCondition[] {
  const own = Object.entries(when.arguments ?? {}).flatMap(([pointer, condition]) =>
    ofCondition(condition, then, `${at}/arguments${pointerStep(pointer)}`),
  )
  const nested = (['all', 'any'] as const).flatMap((key) =>
    (when[key] ?? []).flatMap((one, index) => conditionWarnings(one, then, `${at}/${key}/${index}`)),
  )
  return [
    ...own,
    ...nested,
    ...(when.not === undefined ? [] : conditionWarnings(when.not, 'deny', `${at}/not`)),
  ]
}

function ofCondition(condition: ArgumentCondition, then: VerdictKind, at: string): OddCondition[] {
  const { equals, oneOf, glob, regex } = condition
  const warnings: OddCondition[] = []
  const warn = (key: string, why: Reason | undefined) => {
    if (why !== undefined) warnings.push({ why, pointer: `${at}/${key}` })
  }
  if (equals !== undefined) warn('equals', oddValue(equals, 'equals'))
  for (const [index, value] of (oneOf ?? []).entries()) {
    warn(`oneOf/${index}`, Array.isArray(value) ? reasonOf('value.list') : oddValue(value, 'oneOf'))
  }
  warn('oneOf', mixedTypes(oneOf ?? []))
  for (const pattern of glob === undefined ? [] : [glob].flat()) warn('glob', oddGlob(pattern))
  if (regex !== undefined) warn('regex', oddRegex(regex, then))
  const nested = (['all', 'any'] as const).flatMap((key) =>
    (condition[key] ?? []).flatMap((one, index) => ofCondition(one, then, `${at}/${key}/${index}`)),
  )
  // What stands in `not` narrows an allow: to be found anywhere is the stricter reading there.
  return [
    ...warnings,
    ...nested,
    ...(condition.not === undefined ? [] : ofCondition(condition.not, 'deny', `${at}/not`)),
  ]
}

function oddValue(value: JsonValue, key: 'equals' | 'oneOf'): Reason | undefined {
  if (value === null) return reasonOf('value.null')
  if (typeof value !== 'string') return undefined
  const shown = { value: quoted(value) }
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(value))
    return reasonOf('value.number', { ...shown, number: value })
  if (/^(?:true|false|yes|no|on|off|null)$/i.test(value)) return reasonOf('value.boolean', shown)
  if (value.includes('*')) return reasonOf('value.star', { ...shown, key })
  if (/^\^|\$$/.test(value)) return reasonOf('value.expression', shown)
  if (value !== value.trim()) return reasonOf('value.space', shown)
  return undefined
}

function mixedTypes(values: readonly JsonValue[]): Reason | undefined {
  const types = [
    ...new Set(values.filter((value) => value !== null).map((value) => describeValue(value).code)),
  ]
  return types.length < 2 ? undefined : reasonOf('value.mixed')
}

function oddGlob(pattern: string): Reason | undefined {
  const value = quoted(pattern)
  if (/^\^|\$$|\.\*/.test(pattern)) return reasonOf('glob.expression', { value })
  const literal = /[?[\]{}|]/.exec(pattern)?.[0]
  return literal === undefined ? undefined : reasonOf('glob.literal', { literal, value })
}

function oddRegex(source: string, then: VerdictKind): Reason | undefined {
  const value = quoted(source)
  if (!isRegexEverFound(source)) return reasonOf('regex.nothing', { value })
  return then === 'allow' && !isAnchored(source) ? reasonOf('regex.anywhere', { value }) : undefined
}

/** An alternative that is not in brackets has an anchor on one side only: `^a|b$`. */
function isAnchored(source: string): boolean {
  const inner = /^(?:\(\?[a-z]+\))?(?:\^|\\A)([\s\S]*)(?:\$|\\z)$/.exec(source)?.[1]
  if (inner === undefined || inner.endsWith('\\')) return false
  let depth = 0
  for (const [part] of inner.matchAll(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]])*\]|[()|]/g)) {
    if (part === '(') depth++
    else if (part === ')') depth--
    else if (part === '|' && depth === 0) return false
  }
  return true
}

/** Whether no value at all fits, as far as that can be told. */
export function isNeverMet(condition: ArgumentCondition): boolean {
  const parts = conjuncts(condition)
  if (parts.some(isImpossible) || isImpossible(together(parts))) return true
  const [values] = parts.flatMap(({ equals, oneOf }) =>
    equals !== undefined ? [[equals]] : oneOf ? [oneOf] : [],
  )
  // Where a path or an address leads is not known here.
  if (values === undefined || parts.some((one) => needsFacts(one))) return false
  const matches = compileCondition(condition, '', { roots: [] })
  return values.every((value) => matches(value, {}) !== 'yes')
}

/** Conditions that must all be met: `all` in `all`. */
function conjuncts({ all = [], ...own }: ArgumentCondition): ArgumentCondition[] {
  return [own, ...all.flatMap(conjuncts)]
}

function together(parts: readonly ArgumentCondition[]): ArgumentCondition {
  const least = (key: 'lt' | 'lte') => Math.min(...parts.map((one) => one[key] ?? Infinity))
  const most = (key: 'gt' | 'gte') => Math.max(...parts.map((one) => one[key] ?? -Infinity))
  return Object.assign({}, ...parts, { gt: most('gt'), gte: most('gte'), lt: least('lt'), lte: least('lte') })
}

function needsFacts({ path, host, not, any = [] }: ArgumentCondition): boolean {
  return (
    path !== undefined || host !== undefined || [...(not === undefined ? [] : [not]), ...any].some(needsFacts)
  )
}

function isImpossible(condition: ArgumentCondition): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity, exists, oneOf } = condition
  const low = Math.max(gt, gte)
  const high = Math.min(lt, lte)
  const strict = gt === low || lt === high
  if (low > high || (low === high && strict && Number.isFinite(low))) return true
  const compares =
    COMPARING.some((key) => condition[key] !== undefined) || Number.isFinite(low) || Number.isFinite(high)
  return (exists === false && compares) || oneOf?.length === 0
}

const COMPARING = ['equals', 'oneOf', 'glob', 'regex', 'path', 'host'] as const
