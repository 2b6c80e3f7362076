/**
 * Values that get by a rule. A rule that asks about `Production` says nothing of `production`, and nothing of a call that
 * leaves the value out; what a tool makes of those is the tool's affair. So the whole policy is asked: for a value that a
 * rule names, then for the same value in another case, and then without it. Where one of these gets a laxer verdict, there
 * is a gap.
 */

import type { JsonObject, JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ApprovalCondition, Verdict } from '../../core/verdict.ts'
import type { ArgumentCondition, WhenBlock } from '../language/language.ts'
import type { CheckedBlock, CheckedRule } from '../language/policy-block.ts'
import { compileCondition } from '../matchers/condition.ts'
import type { JudgedCall, PolicyWarning } from '../policy.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import { toolsOf } from './named-tools.ts'
import { policyWarning, quoted } from './policy-warning.ts'

type JudgeCall = (call: JudgedCall) => Verdict

/** More values than this in one policy are not tried: a person would not read as many warnings. */
const MAX_VALUES = 500

export function valueGaps(block: CheckedBlock, catalogue: Catalogue, judge: JudgeCall): PolicyWarning[] {
  let left = MAX_VALUES
  const known = new Map<ArgumentCondition, JsonValue | undefined>()
  const fittingOnce = (condition: ArgumentCondition) => {
    if (!known.has(condition)) known.set(condition, fitting(condition))
    return known.get(condition)
  }
  return block.rules.flatMap((rule, index) =>
    settingsOf(rule.when as WhenBlock, `/rules/${index}/when`, []).flatMap((setting) =>
      setting.conditions.flatMap((about) => {
        const values = [...new Set(valuesIn(about.condition))].slice(0, left)
        left -= values.length
        if (values.length === 0) return []
        const tool = toolFor(setting.whens, catalogue)
        const call = (value: JsonValue | undefined) =>
          callFor(setting, tool, { ...about, value }, fittingOnce)
        const gaps = values.flatMap((value) => escapesOf(value, (other) => judge(call(other))))
        return gaps.length === 0 ? [] : [policyWarning(wordsFor(rule, about.pointer, gaps), about.at)]
      }),
    ),
  )
}

/** What must be true of a call for one of its argument conditions to be looked at. */
interface Setting {
  whens: readonly WhenBlock[]
  conditions: readonly PlacedCondition[]
}

interface PlacedCondition {
  pointer: string
  condition: ArgumentCondition
  at: string
}

/** One for each way through `any` and `not`. What is in `all` belongs together. */
function settingsOf(when: WhenBlock, at: string, above: readonly WhenBlock[]): Setting[] {
  const own = joined(when, at)
  const whens = [...above, ...own.map((one) => one.when)]
  const conditions = own.flatMap((one) =>
    Object.entries(one.when.arguments ?? {}).map(([pointer, condition]) => ({
      pointer,
      condition,
      at: `${one.at}/arguments${pointerStep(pointer)}`,
    })),
  )
  const inner = own.flatMap((one) => [
    ...(one.when.any ?? []).map((next, index) => ({ when: next, at: `${one.at}/any/${index}` })),
    ...(one.when.not === undefined ? [] : [{ when: one.when.not, at: `${one.at}/not` }]),
  ])
  return [{ whens, conditions }, ...inner.flatMap((next) => settingsOf(next.when, next.at, whens))]
}

function joined(when: WhenBlock, at: string): { when: WhenBlock; at: string }[] {
  const inner = (when.all ?? []).flatMap((one, index) => joined(one, `${at}/all/${index}`))
  return [{ when, at }, ...inner]
}

/** The values that a condition names. */
function valuesIn(condition: ArgumentCondition): JsonValue[] {
  const { equals, oneOf = [], glob, regex, gt, gte, lt, lte, not, all = [], any = [] } = condition
  const bounds = [gt, gte, lt, lte].flatMap((bound) =>
    bound === undefined ? [] : [bound + 1, bound, bound - 1],
  )
  return [
    ...(equals === undefined ? [] : [equals]),
    ...oneOf,
    ...(glob === undefined ? [] : [glob].flat().map(instance)),
    ...(regex === undefined ? [] : instancesOf(regex)),
    ...bounds,
    ...[...(not === undefined ? [] : [not]), ...all, ...any].flatMap(valuesIn),
  ]
}

function instance(glob: string): string {
  return glob.replaceAll('*', 'x')
}

/** Of an expression that is words and alternatives: the words. */
function instancesOf(regex: string): string[] {
  const plain = regex.replace(/^\(\?[a-z]+\)/, '').replace(/(?<!\\)[\^$()]|\?:/g, '')
  return plain
    .split('|')
    .map((word) => word.replace(/\\([^\w\s])/g, '$1').replace(/\.[*+]/g, 'x'))
    .filter((word) => /^[\w .:@/-]+$/.test(word))
}

interface Escape {
  /** Undefined: the value is left out, or null. */
  value: string | undefined
  verdict: Verdict
}

function escapesOf(value: JsonValue, judge: (value: JsonValue | undefined) => Verdict): Escape[] {
  const verdict = judge(value)
  if (verdict.kind === 'allow') return []
  const escaped = otherCases(value).flatMap((other): Escape[] => {
    const found = judge(other)
    return isLaxer(found, verdict) ? [{ value: other, verdict: found }] : []
  })
  // Where true is named, leaving it out means false.
  const absent = value === true ? [] : [judge(undefined), judge(null)].filter((one) => isLaxer(one, verdict))
  return [...escaped, ...absent.slice(0, 1).map((one) => ({ value: undefined, verdict: one }))]
}

function otherCases(value: JsonValue): string[] {
  if (typeof value !== 'string') return []
  const lower = value.toLowerCase()
  const others = [lower, value.toUpperCase(), lower.slice(0, 1).toUpperCase() + lower.slice(1)]
  return [...new Set(others)].filter((other) => other !== value)
}

const STRICTNESS = { deny: 2, ask: 1, allow: 0 } as const

/** Fewer or other people count as laxer too: a rule with approvers of its own was written to ask them. */
function isLaxer(one: Verdict, other: Verdict): boolean {
  if (one.kind !== other.kind) return STRICTNESS[one.kind] < STRICTNESS[other.kind]
  if (one.kind !== 'ask' || other.kind !== 'ask') return false
  return other.terms.conditions.some(
    (wanted) => hasOwnTerms(wanted) && !one.terms.conditions.some((given) => isAsStrict(given, wanted)),
  )
}

function hasOwnTerms({ approvers, quorum }: ApprovalCondition): boolean {
  return approvers !== undefined || quorum > 1
}

function isAsStrict(given: ApprovalCondition, wanted: ApprovalCondition): boolean {
  const people = ({ approvers = [] }: ApprovalCondition) => JSON.stringify(approvers.toSorted())
  return people(given) === people(wanted) && given.quorum >= wanted.quorum
}

/** A call for which all else that the rule wants is true, as far as that can be made up. */
function callFor(
  { whens, conditions }: Setting,
  tool: string,
  { pointer, value }: { pointer: string; value: JsonValue | undefined },
  fittingOf: (condition: ArgumentCondition) => JsonValue | undefined,
): JudgedCall {
  const first = (key: 'session' | 'agent' | 'parent' | 'origin') => {
    const [pattern] = whens.flatMap((when) => when[key] ?? [])
    return pattern === undefined ? undefined : instance(pattern)
  }
  const args: JsonObject = {}
  for (const other of conditions) {
    if (other.pointer !== pointer) put(args, other.pointer, fittingOf(other.condition))
  }
  put(args, pointer, value)
  const [session, parent, agent, origin] = [
    first('session'),
    first('parent'),
    first('agent'),
    first('origin'),
  ]
  const parents = parent ?? (whens.some(({ subAgent }) => subAgent === true) ? 'parent' : undefined)
  return {
    tool,
    arguments: args,
    ...(session === undefined ? {} : { session }),
    ...(agent === undefined && parents === undefined
      ? {}
      : { agent: { name: agent ?? 'agent', ...(parents === undefined ? {} : { parents: [parents] }) } }),
    ...(origin === undefined ? {} : { origin: { channel: origin } }),
  }
}

function toolFor(whens: readonly WhenBlock[], catalogue: Catalogue): string {
  const patterns = whens.flatMap(toolsOf)
  const named = patterns.find((pattern) => !pattern.includes('*')) ?? patterns[0]
  if (named !== undefined) return instance(named)
  const kinds = whens.flatMap(({ kind }) => (kind === undefined ? [] : [kind].flat()))
  return (
    catalogue.names.find((name) => kinds.some((kind) => catalogue.find(name)?.kind === kind)) ?? 'any_tool'
  )
}

function fitting(condition: ArgumentCondition): JsonValue | undefined {
  const matches = compileCondition(condition, '', { roots: [] })
  const tried = [...valuesIn(condition), 'x', undefined]
  return tried.find((value) => matches(value, {}) === 'yes') ?? tried[0]
}

/** Puts a value where a JSON pointer leads. A number is the place in a list. */
function put(args: JsonObject, pointer: string, value: JsonValue | undefined): void {
  if (value === undefined) return
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  let inner: Record<string, JsonValue> | JsonValue[] = args
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1]
    const held: JsonValue = next === undefined ? value : (own(inner, step) ?? (next === '0' ? [] : {}))
    Object.defineProperty(inner, step, { value: held, enumerable: true, configurable: true, writable: true })
    if (typeof held !== 'object' || held === null) return
    inner = held
  }
}

function own(inner: object, step: string): JsonValue | undefined {
  return Object.hasOwn(inner, step) ? (inner as Record<string, JsonValue>)[step] : undefined
}

function wordsFor({ name, then }: CheckedRule, pointer: string, gaps: readonly Escape[]): Reason {
  const values = [...new Set(gaps.flatMap(({ value }) => (value === undefined ? [] : [quoted(value)])))]
  const shown = values.length > MAX_SHOWN ? [...values.slice(0, MAX_SHOWN), '…'] : values
  const hasAbsent = gaps.some(({ value }) => value === undefined)
  const way =
    shown.length === 0
      ? reasonOf('gap.without')
      : reasonOf(hasAbsent ? 'gap.with-or-without' : 'gap.with', { values: shown })
  const isAllowed = gaps.some(({ verdict }) => verdict.kind === 'allow')
  const end = reasonOf(isAllowed ? 'gap.allowed' : then === 'deny' ? 'gap.not-denied' : 'gap.approvers')
  const remedy =
    then === 'allow'
      ? reasonOf('gap.name-values', { example: '{ oneOf: […] }' })
      : reasonOf('gap.name-harmless', { example: '{ not: { oneOf: […] } }' })
  return reasonOf('gap.value', { rule: quoted(name), pointer, way, end, remedy })
}

const MAX_SHOWN = 4
