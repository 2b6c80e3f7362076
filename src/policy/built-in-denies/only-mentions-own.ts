/**
 * Whether whatever of ours a shell line names is only read, or only spoken of. That can be said only where the whole
 * line is understood, and where no command could be handed what another one says: `echo x | xargs rm`.
 */

import { foldCase, spellingsOf } from '../matchers/spellings.ts'
import { judgeProgram } from '../starter/judge-program.ts'
import {
  asWord,
  type CommandWithBases,
  namedByCommand,
  namedByWord,
  type OwnMatchers,
  type ShellLineContext,
} from './find-own-in-command.ts'
import { isOwnProgram, runsOwnProgram } from './runs-own-program.ts'
import { onlyPrintsText, readsNoNames } from './text-only-commands.ts'

/** What one command prints, or a text in the line, becomes what another is given. */
const FEEDS = /(?:^|[^|])\|(?:[^|]|$)|<<|>\(/

export function onlyMentionsOwn(
  placed: readonly CommandWithBases[],
  line: ShellLineContext,
  own: OwnMatchers,
): boolean {
  const { reading } = line
  if (reading.doubts.length > 0 || reading.commands.length === 0) return false
  // What is written into a file may be read by the next program: `echo x > Makefile; make`.
  const writes = reading.commands.some(({ redirections }) =>
    redirections.some(({ kind }) => kind === 'write'),
  )
  const feeds = writes || FEEDS.test(line.text)
  return placed.every((one) => one.command.transparent || isHarmless(one, line, own, feeds))
}

function isHarmless(
  placed: CommandWithBases,
  line: ShellLineContext,
  own: OwnMatchers,
  feeds: boolean,
): boolean {
  const { command } = placed
  const looked: string[] = []
  const judgement = judgeProgram(command, (path) => {
    looked.push(path)
    return 'yes'
  })
  const reads = judgement.kind === 'reads'
  if (!isTiedElsewhere(placed, line, own, reads)) return false
  if (onlyPrintsText(command, reads)) {
    return (
      looked.every((path) => mayBeRead(path, line, own)) &&
      command.words.every((word) => !word.pattern || namedByWord(word, placed, line, own, true) === undefined)
    )
  }
  if (reads) return namedByCommand(placed, line, own, true) === undefined
  if (feeds && !readsNoNames(command)) return false
  if (!command.words.every(({ value }) => value !== undefined)) return false
  return namedByCommand(placed, line, own, false) === undefined && !namedBySource(placed, line, own)
}

/** Whether what its input and output are tied to is none of ours. A reader's input may be what may be read. */
function isTiedElsewhere(
  placed: CommandWithBases,
  line: ShellLineContext,
  own: OwnMatchers,
  reads: boolean,
): boolean {
  const { redirections } = placed.command
  if (redirections.length === 0) return true
  return redirections.every(({ kind, target }) => {
    if (target === undefined) return false
    const reading = reads && kind === 'read'
    const program = line.resolved(target) ?? target
    if (kind === 'write' && [target, program].some((path) => isOwnProgram(foldCase(path), own.program)))
      return false
    return (
      namedByWord(asWord(target, target), placed, line, own, reading) === undefined &&
      !spellingsOf(`> ${target}`).some((text) => own.addresses.namedIn(text))
    )
  })
}

/** A path as the edge is asked about it: from the folder of the line. */
function mayBeRead(path: string, line: ShellLineContext, { paths }: OwnMatchers): boolean {
  const owner = paths.ownerOf(line.resolved(path) ?? '/', '/')
  if (owner !== undefined && !owner.readable) return false
  return spellingsOf(path).every((spelling) => paths.namedIn(spelling, line.bases, true) === undefined)
}

/** Some shells take a backslash for a slash. */
function namedBySource(
  { command, bases }: CommandWithBases,
  { text }: ShellLineContext,
  { paths, program }: OwnMatchers,
): boolean {
  const source = text.slice(command.start, command.end)
  if (!source.includes('\\')) return false
  return spellingsOf(source).some(
    (spelling) => runsOwnProgram(spelling, program) || paths.namedIn(spelling, bases, false) !== undefined,
  )
}
