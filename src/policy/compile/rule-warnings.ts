/** Rules that can never match, or that change nothing because something stricter matches wherever they do. */

import { canonicalize } from '../../core/json/json.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ArgumentCondition, WhenBlock } from '../language/language.ts'
import type { CheckedBlock, CheckedRule } from '../language/policy-block.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import type { PolicyWarning } from '../policy.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import type { Catalogue, CatalogueEntry } from '../tools/catalogue.ts'
import { conditionWarnings, isNeverMet } from './condition-warnings.ts'
import { toolsOf } from './named-tools.ts'
import { policyWarning, quoted, withNearest } from './policy-warning.ts'

export function ruleWarnings(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  const stricterThan = strictestByWhen(block)
  return block.rules.flatMap((rule, index) => {
    const found = [
      ...neverMatches(rule, catalogue),
      ...changesNothing(rule, block, stricterThan),
      ...nobodyApproves(rule),
      ...escapes(rule),
    ]
    const name = quoted(rule.name)
    const whole = found.map((why) =>
      policyWarning(reasonOf('warn.rule', { rule: name, why }), `/rules/${index}`),
    )
    const inside = conditionWarnings(rule.when as WhenBlock, rule.then, `/rules/${index}/when`)
    return [
      ...whole,
      ...inside.map(({ why, pointer }) =>
        policyWarning(reasonOf('warn.in-rule', { rule: name, why }), pointer),
      ),
    ]
  })
}

/** The block was compiled before, so its shape is known to be right. */
function neverMatches(rule: CheckedRule, catalogue: Catalogue): Reason[] {
  const when = rule.when as WhenBlock
  const all = flattened(when)
  return [
    ...all.flatMap((one) => neverFits(one, catalogue)),
    ...contradictions(all),
    ...unknownArguments(all, catalogue),
  ].map((why) => reasonOf('rule.never', { why }))
}

/** A condition with all that must be true beside it. */
function flattened(when: WhenBlock): WhenBlock[] {
  const { all = [], ...own } = when
  return [own, ...all.flatMap(flattened)]
}

function neverFits(when: WhenBlock, catalogue: Catalogue): Reason[] {
  const warnings: Reason[] = []
  const plain = toolsOf(when).filter((tool) => !tool.includes('*'))
  const entries = plain.map((tool) => catalogue.find(tool))
  const allPlain = plain.length > 0 && plain.length === toolsOf(when).length
  const kinds: string[] = when.kind === undefined ? [] : [when.kind].flat()
  for (const [key, fits] of PART_KEYS) {
    if (when[key] === undefined || !allPlain || entries.some((entry) => entry === undefined || fits(entry)))
      continue
    warnings.push(reasonOf(`never.${key}`, { tools: plain }))
  }
  if (kinds.length > 0) {
    // Commands of a shell may be of the kind `network` too.
    const fits = kinds.includes('network') ? [...kinds, 'shell'] : kinds
    const areOther = entries.every(
      (entry) => entry !== undefined && !fits.some((kind) => kind === entry.kind),
    )
    if (allPlain && areOther) warnings.push(reasonOf('never.kind', { tools: plain, kinds }))
    if (when.command !== undefined && !fits.includes('shell'))
      warnings.push(reasonOf('never.kind-command', { kinds }))
  }
  if (when.subAgent === false && when.parent !== undefined) warnings.push(reasonOf('never.parent'))
  return warnings
}

const PART_KEYS: readonly [key: 'command' | 'path' | 'host', fits: (entry: CatalogueEntry) => boolean][] = [
  ['command', (entry) => entry.kind === 'shell'],
  ['path', (entry) => entry.kind === 'shell' || entry.paths.length > 0],
  ['host', (entry) => entry.kind === 'shell' || entry.urls.length > 0],
]

/** What is said of one argument, and of the tool, in several places must be true together. */
function contradictions(all: readonly WhenBlock[]): Reason[] {
  const conditions = new Map<string, ArgumentCondition[]>()
  for (const [pointer, condition] of all.flatMap((one) => Object.entries(one.arguments ?? {}))) {
    conditions.set(pointer, [...(conditions.get(pointer) ?? []), condition])
  }
  const bounds = [...conditions].flatMap(([pointer, list]) =>
    isNeverMet(list.length === 1 ? list[0]! : { all: list }) ? [reasonOf('never.bounds', { pointer })] : [],
  )
  const tools = all.map(toolsOf).filter((list) => list.length > 0)
  const names = tools.find((list) => list.every((tool) => !tool.includes('*'))) ?? []
  const isPossible = (name: string) =>
    tools.every((list) => list.some((pattern) => compileGlob(pattern)(name)))
  return names.length > 0 && !names.some(isPossible) ? [...bounds, reasonOf('never.tool')] : bounds
}

/** An argument that none of the tools is known to have: a call with it is not understood, and without it the rule is silent. */
function unknownArguments(all: readonly WhenBlock[], catalogue: Catalogue): Reason[] {
  const tools = all.flatMap(toolsOf)
  const known = tools.map((tool) => catalogue.argumentsOf(tool))
  if (known.length === 0 || known.includes(undefined)) return []
  const names = [...new Set(known.flatMap((list) => (list ?? []).flatMap((one) => Object.keys(one))))]
  return all
    .flatMap((one) => Object.entries(one.arguments ?? {}))
    .flatMap(([pointer, condition]) => {
      const name = (pointer.split('/')[1] ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
      if (names.includes(name) || condition.exists === false || condition.not !== undefined) return []
      const why = reasonOf('never.argument', { tools, argument: quoted(name) })
      return [withNearest(why, name, names, (near) => `/${near}`)]
    })
}

const STRICTNESS = { deny: 2, ask: 1, allow: 0 } as const

function changesNothing(
  rule: CheckedRule,
  block: CheckedBlock,
  stricterThan: (rule: CheckedRule) => CheckedRule | undefined,
): Reason[] {
  if (rule.then === 'deny') return []
  const over = block.deny.find((pattern) => covers([pattern], rule))
  if (over !== undefined) return [reasonOf('rule.denied', { entry: `deny: ${quoted(over)}` })]
  const stricter = stricterThan(rule)
  return stricter === undefined ? [] : [reasonOf('rule.stricter', { other: quoted(stricter.name) })]
}

function covers(patterns: readonly string[], rule: CheckedRule): boolean {
  const tools = toolsOf(rule.when as WhenBlock)
  return (
    tools.length > 0 &&
    tools.every((tool) => patterns.some((pattern) => tool === pattern || compileGlob(pattern)(tool)))
  )
}

/** A stricter rule that matches wherever this one does: it has the same conditions, or none but the tools. */
function strictestByWhen({ rules, mode }: CheckedBlock): (rule: CheckedRule) => CheckedRule | undefined {
  const strict = rules.filter(
    ({ then }) => then === 'deny' || (then === 'ask' && !DENYING_MODES.includes(mode)),
  )
  const same = new Map<string, CheckedRule>()
  for (const rule of strict) {
    const key = canonicalize(rule.when)
    const known = same.get(key)
    if (known === undefined || STRICTNESS[known.then] < STRICTNESS[rule.then]) same.set(key, rule)
  }
  const plain = strict.filter(({ when }) => onlyNamesTools(when as WhenBlock))
  return (rule) => {
    const isStricter = (other: CheckedRule | undefined) =>
      other !== undefined && STRICTNESS[other.then] > STRICTNESS[rule.then]
    const twin = same.get(canonicalize(rule.when))
    if (isStricter(twin)) return twin
    return plain.find((other) => isStricter(other) && covers(toolsOf(other.when as WhenBlock), rule))
  }
}

/** Under these an ask asks only about what is allowed too. */
export const DENYING_MODES: readonly (string | undefined)[] = ['dontAsk', 'plan']

function onlyNamesTools(when: WhenBlock): boolean {
  return Object.keys(when).every((key) => key === 'tool')
}

function nobodyApproves({ allowedDecisions }: CheckedRule): Reason[] {
  if (allowedDecisions === undefined) return []
  return allowedDecisions.includes('approve') || allowedDecisions.includes('edit')
    ? []
    : [reasonOf('rule.unapprovable')]
}

function escapes(rule: CheckedRule): Reason[] {
  const { command } = rule.when as WhenBlock
  if (rule.then === 'allow' || command === undefined) return []
  return [command]
    .flat()
    .flatMap((pattern) =>
      escapesFrom(pattern).map((why) => reasonOf('rule.gap', { pattern: quoted(pattern), why })),
    )
}
