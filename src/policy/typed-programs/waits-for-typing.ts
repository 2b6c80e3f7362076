/**
 * Whether a command would wait for what is typed into it, and run that or pass it on. A program that has its input from the line, from a
 * file or from a pipe doesn't.
 */
import { optionTableOf } from '../known-programs.ts'
import { optionTableFrom } from '../shell/options/option-table.ts'
import type { ShellCommand, ShellWord } from '../shell/reading.ts'
import { spendSteps } from '../steps.ts'
import { waitsBySubcommand } from './console-subcommands.ts'
import { CONSOLE_MODULE, CONSOLE_PROGRAMS, type ConsoleProgram, IS_PYTHON, PYTHON } from './console-table.ts'
import { type CalledWith, isOwnInput, readInvocation, UNKNOWN_VALUE } from './read-invocation.ts'

/** What is started, where another program starts it; and whether its input comes from elsewhere. */
export interface StartedProgram {
  readonly program: string
  readonly words: readonly ShellWord[]
  readonly isGiven: boolean
}

/** The command of a line that would wait; undefined where none would. */
export function findWaiting(commands: readonly ShellCommand[]): ShellCommand | undefined {
  return commands.find((command) => {
    const { program, words, input, doubts } = command
    const isGiven = input === 'given'
    // `sudo -i`, `chroot /x`: the reading of the line knows them.
    if (!isGiven && doubts.some(({ reason }) => reason.code === 'part.shell')) return true
    // `$SHELL`: a shell, whichever.
    if (program === undefined)
      return IS_OWN_SHELL.test(command.text) && waitsForTyping({ program: 'sh', words, isGiven })
    // `cp /dev/stdin x`, `. /dev/tty`: whatever the program is, it takes what is typed by that name.
    if (!isGiven && !NEVER_READ.test(program) && words.some(({ value = '' }) => isTyped(value))) return true
    return waitsForTyping({ program, words, isGiven })
  })
}

const IS_OWN_SHELL = /^["']?\$\{?(?:SHELL|BASH|0)\}?["']?(?=\s|$)/

/** They only look at names, or print them. */
const NEVER_READ = /^(?:ls|stat|echo|printf|test|\[|file|readlink|realpath|chmod|chown|which|true|false|:)$/

function isTyped(value: string): boolean {
  return value !== '-' && isOwnInput(value.replace(/^(?:--?[\w-]+=|@)/, ''))
}

const MAX_INSIDE = 4

/** `depth`: how many programs started it. */
function waitsForTyping(started: StartedProgram, depth = 0): boolean {
  if (depth > MAX_INSIDE) return true
  const { words, isGiven } = started
  spendSteps(2 * words.length)
  const program = started.program.replace(/\.exe$/i, '')
  if (onlyTells(words)) return false
  const special = waitsBySubcommand({ program, words, isGiven }, (inner) => waitsForTyping(inner, depth + 1))
  if (special !== undefined) return special
  if (IS_PYTHON.test(program)) return pythonWaits(words, isGiven)
  const row = CONSOLE_PROGRAMS.get(program)
  if (row === undefined || (isGiven && row.screen !== true)) return false
  const known = optionTableOf(program)
  const invocation = readInvocation(
    row.singleDash && !known.has('words') ? optionTableFrom('', 'words') : known,
    words,
    row,
  )
  if (/^(?:vi|vim|nvim|ex)$/.test(program) && isScriptedEditor(words)) return false
  if (program === 'ssh' && /^git@/.test(invocation.operands[0] ?? '')) return false
  return rowWaits(row, invocation)
}

function rowWaits(row: ConsoleProgram, { options, operands, isUnsure }: CalledWith): boolean {
  if (row.waits?.some((name) => options.has(name))) return true
  const ending = row.ends?.flatMap((name) => options.get(name) ?? []) ?? []
  if (ending.some(isOwnInput)) return true
  if (ending.length > 0) return false
  const enough = row.operands ?? Number.POSITIVE_INFINITY
  const given = operands.filter((operand) => operand === UNKNOWN_VALUE || !isOwnInput(operand))
  return isUnsure ? given.length < enough : given.length < enough || isOwnInput(operands[0] ?? '')
}

function pythonWaits(words: readonly ShellWord[], isGiven: boolean): boolean {
  if (isGiven) return false
  const invocation = readInvocation(optionTableOf('python'), words, PYTHON)
  const { options, operands } = invocation
  if (CONSOLE_MODULE.test(options.get('-m') ?? '')) return true
  // Of Django, which has consoles behind its own script.
  if (/(?:^|\/)manage\.py$/.test(operands[0] ?? '') && /^(?:db)?shell(?:_plus)?$/.test(operands[1] ?? ''))
    return !operands.some((word) => /^(?:-c|--command)/.test(word))
  return rowWaits(PYTHON, invocation)
}

/** It says its version, or how it is used. */
function onlyTells(words: readonly ShellWord[]): boolean {
  return (
    words.length === 1 && /^(?:--version|-version|--help|-V|-\?|version|help)$/.test(words[0]?.value ?? '')
  )
}

/** `vim -es -c '%s/a/b/' -c wq x`: it takes its commands from its words, and the last of them ends it. */
function isScriptedEditor(words: readonly ShellWord[]): boolean {
  const values = words.map(({ value }) => value ?? '')
  const isSilent =
    values.some((value) => /^-[eE]s$|^--headless$/.test(value)) ||
    (values.includes('-e') && values.includes('-s'))
  return (
    isSilent &&
    values.some((value) => /^\+?(?:w?q|x|qa|wqa|xa|cq)!?$/.test(value) || /\|\s*(?:wq|q|x|qa)!?$/.test(value))
  )
}
