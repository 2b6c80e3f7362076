/** What is not wrong in a policy but probably not meant. */

import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'
import type { Verdict } from '../../core/verdict.ts'
import { LIST_NAMES, type ListName, type WhenBlock } from '../language/language.ts'
import type { CheckedBlock } from '../language/policy-block.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import type { JudgedCall, PolicyWarning } from '../policy.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import { readListEntry } from './list-entry.ts'
import { toolsOf } from './named-tools.ts'
import { policyWarning, quoted, withNearest } from './policy-warning.ts'
import { DENYING_MODES, ruleWarnings } from './rule-warnings.ts'
import { valueGaps } from './value-gaps.ts'

/** `evaluate` judges a call by the whole policy that the block is of. */
export function warningsOf(
  block: CheckedBlock,
  catalogue: Catalogue,
  evaluate: (call: JudgedCall) => Verdict,
): PolicyWarning[] {
  const warnings: PolicyWarning[] = []
  const stricter: { list: ListName; pattern: string }[] = []
  for (const list of LIST_NAMES) {
    const seen = new Set<string>()
    for (const [index, pattern] of block[list].entries()) {
      const pointer = `/${list}/${index}`
      const entry = entryOf(list, pattern)
      const warn = (reason: Reason) => warnings.push(policyWarning(reason, pointer))
      if (seen.has(pattern)) warn(reasonOf('warn.twice', { entry }))
      else for (const reason of ofPattern(pattern, list, catalogue, pointer)) warn(reason)
      seen.add(pattern)
      // Under a mode that denies, an ask asks only about what is allowed too.
      const shadow = stricter.find(
        (one) => shadows(one.pattern, pattern) && !(one.list === 'ask' && DENYING_MODES.includes(block.mode)),
      )
      if (shadow !== undefined) {
        warn(reasonOf('warn.stricter', { entry, other: entryOf(shadow.list, shadow.pattern) }))
        continue
      }
      const wider = block[list].find((other) => other !== pattern && shadows(other, pattern))
      if (wider !== undefined) warn(reasonOf('warn.covered', { entry, other: entryOf(list, wider) }))
    }
    stricter.push(...[...seen].map((pattern) => ({ list, pattern })))
  }
  warnings.push(
    ...unknownNames(block, catalogue),
    ...misspeltTools(block, catalogue),
    ...ruleWarnings(block, catalogue),
    ...valueGaps(block, catalogue, evaluate),
    ...testWarnings(block, catalogue),
  )
  if (block.mode === 'bypass') {
    warnings.push(policyWarning(reasonOf('warn.bypass'), '/mode'))
  }
  return warnings
}

const MCP_TOOL = /^mcp__.+__/

/**
 * A deny for a tool that has another name by now denies nothing. All of them in one warning: there may be many. Which tools an MCP server
 * has isn't known here.
 */
function unknownNames(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  const found = LIST_NAMES.flatMap((list) =>
    block[list].flatMap((pattern, index) => {
      const pointer = `/${list}/${index}`
      if (readListEntry(pattern, list, catalogue, pointer).kind === 'specifier') return []
      return pattern.includes('*') || catalogue.knows(pattern) || MCP_TOOL.test(pattern)
        ? []
        : [{ written: entryOf(list, pattern), pointer }]
    }),
  )
  const [first] = found
  if (first === undefined) return []
  const named = found.slice(0, MAX_NAMED).map(({ written }) => written)
  const count = found.length - named.length
  const entries = count === 0 ? named : reasonOf('list.more', { names: named, count })
  return [policyWarning(reasonOf('warn.unknown-tools', { entries }), first.pointer)]
}

const MAX_NAMED = 5

/** Comparing words takes time in the square of their length. */
const MAX_CANDIDATES = 100

/** The tools that a rule names and nobody knows, where one that is known was probably meant. */
function misspeltTools(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  const elsewhere = [
    ...LIST_NAMES.flatMap((list) => block[list]),
    ...block.tests.map(({ call }) => call.tool),
  ].filter((name) => !/[*()]/.test(name))
  const known = [...catalogue.names, ...elsewhere].slice(0, MAX_CANDIDATES)
  return block.rules.flatMap(({ name, when }, index) =>
    toolsOf(when as WhenBlock).flatMap((tool) => {
      if (tool.includes('*') || catalogue.knows(tool) || elsewhere.includes(tool)) return []
      if (nearestWord(tool, known) === undefined) return []
      const why = reasonOf('warn.rule-tool', { rule: quoted(name), tool: quoted(tool) })
      return [policyWarning(withNearest(why, tool, known), `/rules/${index}/when/tool`)]
    }),
  )
}

/** A test of a tool that nobody knows and nothing names tests what becomes of any tool: a misspelt one stays green. */
function testWarnings(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  const lists = LIST_NAMES.flatMap((list) => block[list]).filter((pattern) => pattern !== '*')
  const ruled = block.rules
    .flatMap(({ when }) => toolsInside(when as WhenBlock))
    .filter((tool) => tool !== '*')
  const named = [...lists, ...ruled]
  const plain = named.filter((name) => !/[*()]/.test(name))
  const known = [...catalogue.names, ...plain].slice(0, MAX_CANDIDATES)
  const rules = new Set(block.rules.map(({ name }) => name))
  return block.tests.flatMap(({ call: { tool }, rule }, index) => {
    const at = `/tests/${index}`
    const warnings: PolicyWarning[] = []
    if (!catalogue.knows(tool) && !named.some((pattern) => compileGlob(pattern)(tool))) {
      const why = reasonOf('warn.test-tool', { tool: quoted(tool) })
      warnings.push(policyWarning(withNearest(why, tool, known), `${at}/call/tool`))
    }
    // Names of lists, modes and what is built in have a colon.
    if (rule !== undefined && !rule.includes(':') && !rules.has(rule)) {
      const why = reasonOf('warn.test-rule', { rule: quoted(rule) })
      const candidates = [...rules].slice(0, MAX_CANDIDATES)
      warnings.push(policyWarning(withNearest(why, rule, candidates), `${at}/rule`))
    }
    return warnings
  })
}

function toolsInside(when: WhenBlock): string[] {
  const inner = [...(when.all ?? []), ...(when.any ?? []), ...(when.not === undefined ? [] : [when.not])]
  return [...toolsOf(when), ...inner.flatMap(toolsInside)]
}

/** Whether all that the second matches is matched by the first. Unsure means no. */
function shadows(wide: string, narrow: string): boolean {
  if (wide === narrow) return true
  const name = /^([^()*]+)\(/.exec(narrow)?.[1]
  if (name !== undefined && (wide === name || (!/[()]/.test(wide) && compileGlob(wide)(name)))) return true
  if (/[()]/.test(wide) || /[()]/.test(narrow)) return false
  // A star of the narrow one stands for anything, so only a star of the wide one can match it.
  return wide.includes('*') && compileGlob(wide)(narrow)
}

function ofPattern(pattern: string, list: ListName, catalogue: Catalogue, pointer: string): Reason[] {
  const read = readListEntry(pattern, list, catalogue, pointer)
  const entry = entryOf(list, pattern)
  if (read.kind === 'specifier') {
    const stops = list !== 'allow' && read.about === 'command'
    return stops ? escapesFrom(read.pattern).map((why) => reasonOf('warn.entry', { entry, why })) : []
  }
  const shape = /^([^()*]+)\([\s\S]*\)$/.exec(pattern)?.[1]
  if (shape !== undefined && read.pattern === pattern)
    return [reasonOf('warn.entry-tool', { entry, tool: quoted(shape) })]
  const warnings: Reason[] = []
  const literal = /[?[\]{}|,]/.exec(pattern)?.[0]
  if (literal !== undefined) warnings.push(reasonOf('warn.entry-literal', { entry, literal }))
  if (pattern !== pattern.trim()) warnings.push(reasonOf('warn.entry-space', { entry }))
  if (list === 'allow' && catalogue.has(pattern) && catalogue.find(pattern)?.kind === 'shell')
    warnings.push(reasonOf('warn.every-command', { entry, example: `${pattern}(git status *)` }))
  return warnings
}

function entryOf(list: ListName, pattern: string): string {
  return `${list}: ${quoted(pattern)}`
}
