/**
 * A line that takes more steps than one call may, with fewer words of each command. Nothing of it is vouched for: a deny that
 * needs none of the missing words still matches, so padding turns no deny of another command into a request for approval.
 */
import { makeDoubt } from '../shell/commands/scope.ts'
import { shortWords } from '../shell/commands/short-words.ts'
import type { ShellCommand, ShellReading } from '../shell/reading.ts'

export function shortenReading(reading: ShellReading, most: number | undefined): ShellReading {
  if (most === undefined) return reading
  const end = reading.commands.reduce((last, command) => Math.max(last, command.end), 0)
  const doubt = makeDoubt('too long', reading.commands[0]?.text ?? '', 'part.too-long', { start: 0, end })
  const shorten = (command: ShellCommand): ShellCommand => ({
    ...command,
    words: shortWords(command.words, most),
    redirections: command.redirections.slice(0, most),
  })
  return { ...reading, commands: reading.commands.map(shorten), doubts: [doubt, ...reading.doubts] }
}
