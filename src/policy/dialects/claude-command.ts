/**
 * The commands of `Bash(…)`. Claude Code compares a pattern with the text of each command of a line; here it is
 * compared with the command itself, looked through wrappers.
 */

import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isSystemFolder } from '../shell/commands/program-name.ts'
import { isOneCommand } from '../shell/patterns/is-one-command.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import { programPathOf } from '../shell/patterns/program-path.ts'
import { type ClaudeRule, type ClaudeTranslation, widened } from './claude-translation.ts'
import { entryIn, ruleOf } from './imported.ts'

const MAX_NAME = 200

export function translateCommand(rule: ClaudeRule): ClaudeTranslation {
  const { text, specifier, list } = rule
  const pattern = specifier.replace(/\s*:\*$/, ' *').trim()
  if (isOneCommand(pattern)) return list === 'allow' ? allowed(rule, pattern) : stopped(rule, pattern)
  if (list === 'allow' || text.length > MAX_NAME) {
    return widened(rule, reasonOf('why.two-commands'))
  }
  const reason = reasonOf('note.whole-line', { entry: entryIn(list, text) })
  return {
    rule: ruleOf(text, { tool: 'Bash', arguments: { '/command': { glob: `*${pattern}*` } } }, list),
    note: { effect: 'changed', reason },
  }
}

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=\S*\s+)+/

function allowed(rule: ClaudeRule, pattern: string): ClaudeTranslation {
  if (ASSIGNMENTS.test(pattern)) {
    return widened(rule, reasonOf('why.variable'))
  }
  const [program = ''] = pattern.split(/\s/, 1)
  const isByPath = program.includes('/') && !isSystemFolder(program.slice(0, program.lastIndexOf('/')))
  if (isByPath && programPathOf(pattern) === undefined) {
    return widened(rule, reasonOf('why.program-path'))
  }
  // There a star at the end stands for nothing only where it is the only one.
  if (/ \*$/.test(pattern) && pattern.indexOf('*') !== pattern.length - 1) {
    return widened(rule, reasonOf('why.star-inside'))
  }
  return { entries: [`Bash(${pattern})`] }
}

/** A command is denied whatever is set for it. */
function stopped({ list, text }: ClaudeRule, pattern: string): ClaudeTranslation {
  const command = pattern.replace(ASSIGNMENTS, '')
  const entries = [`Bash(${command})`]
  const [gap] = escapesFrom(command)
  if (gap !== undefined)
    return {
      entries,
      note: { effect: 'changed', reason: reasonOf('note.gap', { entry: entryIn(list, text), why: gap }) },
    }
  if (command === pattern) return { entries }
  const reason = reasonOf('note.variables', { entry: entryIn(list, text) })
  return { entries, note: { effect: 'stricter', reason } }
}
