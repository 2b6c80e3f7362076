/** What is not wrong in a policy but probably not meant. */

import { LIST_NAMES, type ListName } from '../language/language.ts'
import type { CheckedBlock } from '../language/policy-block.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import type { PolicyWarning } from '../policy.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import type { Catalogue } from '../tools/catalogue.ts'
import { readListEntry } from './list-entry.ts'
import { ruleWarnings } from './rule-warnings.ts'

const DENYING: readonly (string | undefined)[] = ['dontAsk', 'plan']

export function warningsOf(block: CheckedBlock, catalogue: Catalogue): PolicyWarning[] {
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
        (one) => shadows(one.pattern, pattern) && !(one.list === 'ask' && DENYING.includes(block.mode)),
      )
      if (shadow !== undefined) {
        warn(
          `has no effect: ${shadow.list}: ${JSON.stringify(shadow.pattern)} is stricter and says it already`,
        )
      }
    }
    stricter.push(...[...seen].map((pattern) => ({ list, pattern })))
  }
  warnings.push(...unknownNames(block, catalogue), ...ruleWarnings(block, catalogue))
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
