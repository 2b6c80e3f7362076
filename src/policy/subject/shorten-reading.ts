/**
 * A line that takes more steps than one call may, with fewer words of each command. Nothing of it is vouched for, and a hole
 * stands where words were left out: a deny that needs none of these still matches, so padding turns no deny of another
 * command into a request for approval.
 */
import { UNKNOWN_WORDS } from '../shell/commands/inner-command.ts'
import { makeDoubt } from '../shell/commands/scope.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'

/** How many words of each command are looked at, one try after the other. The last try is always cheap enough. */
export const TRIED_LENGTHS: readonly (number | undefined)[] = [undefined, 48, 6, 0]

export function shortenReading(reading: ShellReading, most: number | undefined): ShellReading {
  if (most === undefined) return reading
  const end = reading.commands.reduce((last, command) => Math.max(last, command.end), 0)
  const doubt = makeDoubt('too long', reading.commands[0]?.text ?? '', 'part.too-long', { start: 0, end })
  const commands = reading.commands.map((command) => shortenCommand(command, most))
  return { ...reading, commands, doubts: [doubt, ...reading.doubts] }
}

/** The beginning says what the command does, and the end often to what. */
function shortenCommand(command: ShellCommand, most: number): ShellCommand {
  const { words } = command
  if (words.length <= most) return command
  const last = Math.floor(most / 3)
  const shown = [...words.slice(0, most - last), UNKNOWN_WORDS, ...words.slice(words.length - last)]
  return { ...command, words: shown, redirections: command.redirections.slice(0, most) }
}
