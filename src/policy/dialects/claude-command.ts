/**
 * The commands of `Bash(…)`. Claude Code compares a pattern with the text of each command of a line; here it is
 * compared with the command itself, looked through wrappers.
 */

import { sayInEnglish } from '../../core/reasons/english.ts'
import { isSystemFolder } from '../shell/commands/program-name.ts'
import { isOneCommand } from '../shell/patterns/is-one-command.ts'
import { escapesFrom } from '../shell/patterns/pattern-escapes.ts'
import { programPathOf } from '../shell/patterns/program-path.ts'
import { type ClaudeRule, type ClaudeTranslation, widened } from './claude-translation.ts'
import { quoted, ruleOf } from './imported.ts'

const MAX_NAME = 200

export function translateCommand(rule: ClaudeRule): ClaudeTranslation {
  const { text, specifier, list } = rule
  const pattern = specifier.replace(/\s*:\*$/, ' *').trim()
  if (isOneCommand(pattern)) return list === 'allow' ? allowed(rule, pattern) : stopped(rule, pattern)
  if (list === 'allow' || text.length > MAX_NAME) {
    return widened(rule, 'is more than one command, and here an entry is for one: write an entry for each')
  }
  const about = `${quoted(text)} in ${list} is more than one command, and is compared with the text of the whole line: other ways to write the same don't match. It is better to name the command that matters, as in Bash(curl *)`
  return {
    rule: ruleOf(text, { tool: 'Bash', arguments: { '/command': { glob: `*${pattern}*` } } }, list),
    note: { effect: 'changed', about },
  }
}

const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=\S*\s+)+/

function allowed(rule: ClaudeRule, pattern: string): ClaudeTranslation {
  if (ASSIGNMENTS.test(pattern)) {
    return widened(rule, 'sets a variable for the command, and no entry allows that here')
  }
  const [program = ''] = pattern.split(/\s/, 1)
  const isByPath = program.includes('/') && !isSystemFolder(program.slice(0, program.lastIndexOf('/')))
  if (isByPath && programPathOf(pattern) === undefined) {
    return widened(rule, 'names programs by a path with a wildcard, and such programs need approval here')
  }
  // There a star at the end stands for nothing only where it is the only one.
  if (/ \*$/.test(pattern) && pattern.indexOf('*') !== pattern.length - 1) {
    return widened(rule, 'has a * before the one at its end, and would match more here')
  }
  return { entries: [`Bash(${pattern})`] }
}

/** A command is denied whatever is set for it. */
function stopped({ list, text }: ClaudeRule, pattern: string): ClaudeTranslation {
  const command = pattern.replace(ASSIGNMENTS, '')
  const entries = [`Bash(${command})`]
  const [gap] = escapesFrom(command)
  if (gap !== undefined)
    return { entries, note: { effect: 'changed', about: `${quoted(text)} in ${list}: ${sayInEnglish(gap)}` } }
  if (command === pattern) return { entries }
  const about = `${quoted(text)} in ${list} is about the command whatever variables are set for it`
  return { entries, note: { effect: 'stricter', about } }
}
