/** Rules that can never hold, or that change nothing because something stricter holds wherever they do. */

import type { ArgumentCondition, WhenBlock } from '../language/language.ts'
import type { CheckedBlock, CheckedRule } from '../language/policy-block.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import type { PolicyWarning } from '../policy.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import type { Catalogue, CatalogueEntry } from '../tools/catalogue.ts'

export function ruleWarnings(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  return block.rules.flatMap((rule, index) => {
    const found = [...neverHolds(rule, catalogue), ...changesNothing(rule, block), ...escapes(rule)]
    return found.map((message) => ({
      message: `rule ${JSON.stringify(rule.name)} ${message}`,
      pointer: `/rules/${index}`,
    }))
  })
}

/** The block was compiled before, so its shape is known to be right. */
function neverHolds(rule: CheckedRule, catalogue: Catalogue): string[] {
  const when = rule.when as WhenBlock
  const warnings: string[] = []
  const plain = toolsOf(when).filter((tool) => !tool.includes('*'))
  const entries = plain.map((tool) => catalogue.find(tool))
  const allPlain = plain.length > 0 && plain.length === toolsOf(when).length
  for (const [key, fits, what] of PART_KEYS) {
    if (when[key] === undefined || !allPlain || entries.some((entry) => entry === undefined || fits(entry)))
      continue
    warnings.push(`can never hold: ${plain.join(' and ')} ${what}`)
  }
  const kinds = when.kind === undefined ? [] : [when.kind].flat()
  if (
    kinds.length > 0 &&
    allPlain &&
    entries.every((entry) => entry !== undefined && !kinds.some((kind) => kind === entry.kind))
  ) {
    warnings.push(`can never hold: ${plain.join(' and ')} is not of the kind ${kinds.join(' or ')}`)
  }
  for (const [pointer, condition] of Object.entries(when.arguments ?? {})) {
    if (isImpossible(condition))
      warnings.push(`can never hold: no value at ${pointer} is within these bounds`)
  }
  return warnings
}

const PART_KEYS: readonly [
  key: 'command' | 'path' | 'host',
  fits: (entry: CatalogueEntry) => boolean,
  what: string,
][] = [
  ['command', (entry) => entry.kind === 'shell', 'runs no shell commands'],
  ['path', (entry) => entry.kind === 'shell' || entry.paths.length > 0, 'has no path'],
  ['host', (entry) => entry.kind === 'shell' || entry.urls.length > 0, 'has no address'],
]

function isImpossible({ gt, gte, lt, lte, exists, equals, oneOf }: ArgumentCondition): boolean {
  const low = Math.max(gt ?? -Infinity, gte ?? -Infinity)
  const high = Math.min(lt ?? Infinity, lte ?? Infinity)
  const strict = gt === low || lt === high
  if (low > high || (low === high && strict && Number.isFinite(low))) return true
  return (exists === false && (equals !== undefined || oneOf !== undefined)) || oneOf?.length === 0
}

function changesNothing(rule: CheckedRule, block: CheckedBlock): string[] {
  if (rule.then === 'deny') return []
  const tools = toolsOf(rule.when as WhenBlock)
  const over = block.deny.find(
    (pattern) => tools.length > 0 && tools.every((tool) => tool === pattern || compileGlob(pattern)(tool)),
  )
  return over === undefined
    ? []
    : [`has no effect: deny: ${JSON.stringify(over)} denies all that it is about`]
}

function escapes(rule: CheckedRule): string[] {
  const { command } = rule.when as WhenBlock
  if (rule.then === 'allow' || command === undefined) return []
  return [command]
    .flat()
    .flatMap((pattern) => escapesFrom(pattern).map((gap) => `with ${JSON.stringify(pattern)}: ${gap}`))
}

function toolsOf(when: WhenBlock): string[] {
  return when.tool === undefined ? [] : [when.tool].flat()
}
