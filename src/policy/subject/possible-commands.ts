/**
 * The commands that a command may run by its own words, as far as rules name their programs: `rm -rf x` of `uv run rm -rf x`
 * and of `unheard-of rm -rf x`. Nobody knows whether they run, so that a rule about one has a person asked.
 */
import { foundCommand, NONE } from '../shell/commands/found-command.ts'
import { UNKNOWN_WORDS } from '../shell/commands/inner-command.ts'
import { nameProgram } from '../shell/commands/program-name.ts'
import type { ShellCommand, ShellReading, ShellWord } from '../shell/reading.ts'
import { runsFrom } from '../shell/wrappers/runner-table.ts'
import { spendSteps } from '../steps.ts'

export interface PossibleCommands {
  readonly commands: readonly ShellCommand[]
  /** There are more than are looked at. */
  readonly areMore: boolean
}

/** A command has no more than a few that rules name, unless it was made to. */
const MAX_COMMANDS = 32
const MAX_WORDS = 64
const MAX_SCRIPT = 8192

/** `isNamed`: some rule is about commands of the program. `read` reads a text that may be a script. */
export function possibleCommands(
  command: ShellCommand,
  isNamed: (program: string) => boolean,
  read: (text: string) => ShellReading,
): PossibleCommands {
  const { program, words } = command
  if (program === undefined) return { commands: NONE, areMore: false }
  const found: ShellCommand[] = otherNames(program)
    .filter(isNamed)
    .map((name) => ({ ...command, program: name }))
  const from = runsFrom(program, words)
  if (from === undefined) return { commands: found, areMore: false }
  let scripts = MAX_SCRIPT
  for (let at = from; at < words.length; at++) {
    spendSteps(1)
    const word = withoutOption(words[at] as ShellWord)
    const value = word.value ?? ''
    if (/\s/.test(value)) {
      if (!tokensOf(value).some(isNamed)) continue
      scripts -= value.length
      if (scripts < 0) return { commands: found, areMore: true }
      found.push(...read(value.replace(/^!/, '')).commands)
    } else if (!value.startsWith('-') && namesOf(word).some(isNamed)) {
      const { through, redirections, start, end } = command
      const span = { start, end }
      const last = at + MAX_WORDS
      const shown = [word, ...words.slice(at + 1, last), ...(last < words.length ? [UNKNOWN_WORDS] : [])]
      const made = foundCommand({
        ...{ words: shown, through, redirections, span },
        ...{ transparent: false, doubts: NONE, folder: undefined },
      })
      for (const name of namesOf(word).filter(isNamed)) found.push({ ...made, program: name })
    }
    if (found.length > MAX_COMMANDS) return { commands: found, areMore: true }
  }
  return { commands: found, areMore: false }
}

/** The value that is glued to an option: `--exec=rm`. */
function withoutOption(word: ShellWord): ShellWord {
  const glued = /^-[\w-]*=(.*)$/s.exec(word.value ?? '')?.[1]
  return glued === undefined ? word : { text: glued, value: glued, pattern: word.pattern }
}

function namesOf(word: ShellWord): string[] {
  const { program } = nameProgram(word)
  return program === undefined ? [] : [program, ...otherNames(program)]
}

/** Some disks take names in capitals for the same; the tools of GNU have a `g` before their names on some systems. */
function otherNames(program: string): string[] {
  const lower = program.toLowerCase().replace(/\.(?:exe|cmd|bat)$/, '')
  return [lower, lower.replace(/^g/, '')].filter((name) => name !== program && name !== '')
}

function tokensOf(text: string): string[] {
  return text.split(/[\s;&|()<>`"'$={}!]+/).map((token) => token.slice(token.lastIndexOf('/') + 1))
}
