/** The command line's front door: finds the command, shows help, and says how it ended. */
import { nearestWord } from '../core/support/nearest-word.ts'
import { VERSION } from '../server/version.ts'
import type { Context } from './command-line/command.ts'
import { parseArguments } from './command-line/parse-arguments.ts'
import { COMMANDS, type CommandEntry } from './command-tree.ts'
import { commandHelp, groupHelp, programHelp } from './help.ts'
import { EXIT, type ExitCode, tellFailure, usageError } from './output/failures.ts'
import { visible } from './output/safe-text.ts'
import { createTerminal } from './output/terminal.ts'

/** @param args What stands after the program's name. */
export async function main(args: string[]): Promise<ExitCode> {
  leaveQuietly()
  const environment = process.env
  return runCommandLine(args, { environment, cwd: process.cwd(), terminal: createTerminal(environment) })
}

export async function runCommandLine(args: string[], context: Context): Promise<ExitCode> {
  const { note } = context.terminal
  try {
    return await dispatch(args, context)
  } catch (error) {
    const { exit, text } = tellFailure(error, args.includes('--json') ? 'json' : 'text')
    note(text)
    // A coding agent makes the call when its hook fails in any other way.
    if (args[0] === 'hook') return EXIT.usage
    if (exit === EXIT.usage && !args.includes('--json')) note(`See: ${helpFor(args)}`)
    return exit
  }
}

async function dispatch(args: string[], context: Context): Promise<ExitCode> {
  const { print, note, paint } = context.terminal
  const [first, second] = args
  if (first === undefined) {
    note(programHelp(paint))
    return EXIT.usage
  }
  if (isHelp(first)) {
    const named = args.slice(1).filter((word) => !word.startsWith('-'))
    if (named.length > 0) return dispatch([...named, '--help'], context)
    print(programHelp(paint))
    return EXIT.done
  }
  if (first === '--version' || first === '-V') {
    print(VERSION)
    return EXIT.done
  }
  const node = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  if (node === undefined) throw unknownCommand(first, '', Object.keys(COMMANDS))
  if (node.kind === 'command') {
    const member = second !== undefined && Object.hasOwn(node.members ?? {}, second) && node.members?.[second]
    if (member) return runCommand(`${first} ${second}`, member, args.slice(2), context)
    return runCommand(first, node, args.slice(1), context)
  }

  if (second === undefined) {
    note(await groupHelp(first, node, paint))
    return EXIT.usage
  }
  if (isHelp(second)) {
    print(await groupHelp(first, node, paint))
    return EXIT.done
  }
  const entry = Object.hasOwn(node.members, second) ? node.members[second] : undefined
  if (entry === undefined) throw unknownCommand(second, `${first} `, Object.keys(node.members))
  return runCommand(`${first} ${second}`, entry, args.slice(2), context)
}

async function runCommand(
  name: string,
  entry: CommandEntry,
  args: string[],
  context: Context,
): Promise<ExitCode> {
  const command = await entry.load()
  if (beforeSeparator(args).some((argument) => argument === '--help' || argument === '-h')) {
    context.terminal.print(commandHelp(name, entry, command, context.terminal.paint))
    return EXIT.done
  }
  const { notes, ...input } = parseArguments(args, command.options, command.positionals ?? [])
  for (const note of notes) context.terminal.note(`banksman: ${note}`)
  return command.run(input, context)
}

/** After `--` everything is an argument, whatever it looks like. */
function beforeSeparator(args: string[]): string[] {
  const at = args.indexOf('--')
  return at === -1 ? args : args.slice(0, at)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h' || word === 'help'
}

function unknownCommand(word: string, before: string, known: readonly string[]): Error {
  const near = nearestWord(word, known)
  const meant =
    near === undefined
      ? `; the commands are ${known.join(', ')}`
      : `; did you mean \`banksman ${before}${near}\`?`
  const what = word.startsWith('-') ? 'option' : 'command'
  return usageError(`unknown ${what} ${visible(JSON.stringify(word))}${meant}`)
}

function helpFor([first = '', second = '']: string[]): string {
  const node = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  if (node === undefined) return 'banksman --help'
  const isMember = Object.hasOwn(node.members ?? {}, second)
  return `banksman ${first}${isMember ? ` ${second}` : ''} --help`
}

/** Whoever reads us may stop reading, as `head` does. That is no fault, but what was asked for is not done. */
function leaveQuietly(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.failed)
    throw error
  })
}
