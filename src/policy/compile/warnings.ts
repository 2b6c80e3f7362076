/** What is not wrong in a policy but probably not meant. */

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
      const written = `${list}: ${JSON.stringify(pattern)}`
      const warn = (message: string) =>
        warnings.push({ message: `${written}${message.startsWith(':') ? '' : ' '}${message}`, pointer })
      if (seen.has(pattern)) warn('is there twice')
      else for (const message of ofPattern(pattern, list, catalogue, pointer)) warn(message)
      seen.add(pattern)
      // Under a mode that denies, an ask asks only about what is allowed too.
      const shadow = stricter.find(
        (one) => shadows(one.pattern, pattern) && !(one.list === 'ask' && DENYING_MODES.includes(block.mode)),
      )
      if (shadow !== undefined) {
        warn(
          `has no effect: ${shadow.list}: ${JSON.stringify(shadow.pattern)} is stricter and says it already`,
        )
        continue
      }
      const wider = block[list].find((other) => other !== pattern && shadows(other, pattern))
      if (wider !== undefined) warn(`has no effect: ${list}: ${JSON.stringify(wider)} covers it`)
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
    warnings.push({
      message: 'mode: bypass allows every tool that no list names, also one that is added later',
      pointer: '/mode',
    })
  }
  return warnings
}

/** A deny for a tool that has another name by now denies nothing. All of them in one warning: there may be many. */
function unknownNames(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
  const found = LIST_NAMES.flatMap((list) =>
    block[list].flatMap((pattern, index) => {
      const pointer = `/${list}/${index}`
      if (readListEntry(pattern, list, catalogue, pointer).kind === 'specifier') return []
      return pattern.includes('*') || catalogue.knows(pattern)
        ? []
        : [{ written: `${list}: ${JSON.stringify(pattern)}`, pointer }]
    }),
  )
  const [first] = found
  if (first === undefined) return []
  const named = found.slice(0, MAX_NAMED).map(({ written }) => written)
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : ''
  const message = `${named.join(', ')}${more}: no tool of that name is known. Tools of your own are made known under tools:`
  return [{ message, pointer: first.pointer }]
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
      const near = nearestWord(tool, known)
      return near === undefined
        ? []
        : [
            {
              message: `rule ${JSON.stringify(name)}: no tool ${JSON.stringify(tool)} is known; did you mean ${JSON.stringify(near)}?`,
              pointer: `/rules/${index}/when/tool`,
            },
          ]
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
      const near = nearestWord(tool, known)
      const meant = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
      warnings.push({
        message: `a test is about the tool ${JSON.stringify(tool)}, which is not known and which no list and no rule names${meant}`,
        pointer: `${at}/call/tool`,
      })
    }
    // Names of lists, modes and what is built in have a colon.
    if (rule !== undefined && !rule.includes(':') && !rules.has(rule)) {
      const near = nearestWord(rule, [...rules].slice(0, MAX_CANDIDATES))
      const meant = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`
      warnings.push({
        message: `a test names the rule ${JSON.stringify(rule)}, which is not there${meant}`,
        pointer: `${at}/rule`,
      })
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

function ofPattern(pattern: string, list: ListName, catalogue: Catalogue, pointer: string): string[] {
  const entry = readListEntry(pattern, list, catalogue, pointer)
  if (entry.kind === 'specifier') {
    const stops = list !== 'allow' && entry.about === 'command'
    return stops ? escapesFrom(entry.pattern).map((gap) => `: ${gap}`) : []
  }
  const warnings: string[] = []
  const shape = /^([^()*]+)\([\s\S]*\)$/.exec(pattern)?.[1]
  if (shape !== undefined && entry.pattern === pattern) {
    return [
      `is taken as the name of a tool as it stands: no tool ${JSON.stringify(shape)} is known. Make it known under tools:`,
    ]
  }
  const literal = /[?[\]{}|,]/.exec(pattern)?.[0]
  if (literal !== undefined) {
    warnings.push(
      `: "${literal}" means itself; * is the only wildcard, and each pattern is an entry of its own`,
    )
  }
  if (pattern !== pattern.trim()) warnings.push('begins or ends with a space, which is part of the name')
  if (list === 'allow' && catalogue.has(pattern) && catalogue.find(pattern)?.kind === 'shell') {
    warnings.push(`allows every command, whatever it is; ${pattern}(git status *) allows one`)
  }
  return warnings
}
