/**
 * Reads a shell line, or a command given as a list of words, into the commands that it would run. Whatever goes wrong
 * on the way is a doubt, never an error: a line that is not understood must never look like one without dangers.
 */
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { quoteWord, quoteWords } from '../../../core/support/quote-word.ts'
import { LineTooLong, MAX_STEPS, withSteps } from '../../steps.ts'
import type { Readers, WordYield } from '../commands/readers.ts'
import {
  inOwnShell,
  inside,
  type LineSpan,
  MAX_DEPTH,
  makeDoubt,
  putCommand,
  putDoubts,
  type Scope,
} from '../commands/scope.ts'
import { TRIED_LENGTHS } from '../commands/short-words.ts'
import type { WhyDoubted } from '../commands/why-doubted.ts'
import { codePointName, findControl } from '../parse/control-characters.ts'
import { leaveOutBodies } from '../parse/leave-out-bodies.ts'
import { createLineBudget } from '../parse/line-budget.ts'
import { LINE_LIMITS } from '../parse/line-limits.ts'
import { parseShell, type Script } from '../parse/parse.ts'
import { findBlindSpot } from '../parse/parser-blind-spots.ts'
import { type Folder, type Folders, staying } from '../paths/folder.ts'
import type { Doubt, ShellReading } from '../reading.ts'
import { followCommand } from '../wrappers/follow-command.ts'
import { readCommand } from './read-command.ts'
import { readCompound } from './read-compound.ts'
import { readLoosely } from './read-loosely.ts'
import { readStatements } from './read-statements.ts'
import { readLooseParts, readWord } from './read-word.ts'

/** What a shell would run if it were given this line. */
export function readShell(line: string): ShellReading {
  return read(
    () => line,
    (scope) => {
      readLine(line, scope)
    },
  )
}

/** What would run if this were started without a shell: the first word is the program, the others its arguments. */
export function readWords(words: readonly string[]): ShellReading {
  let line: string | undefined
  const lineOf = () => {
    line ??= quoteWords(words.slice(0, LINE_LIMITS.loose))
    return line
  }
  return read(lineOf, (scope) => {
    scope.budget.spend(
      'written',
      words.reduce((sum, word) => sum + word.length, 0),
    )
    const whole = quoteWords(words)
    line = whole
    const span = { start: 0, end: whole.length }
    const nul = words.find((word) => word.includes('\0'))
    if (nul !== undefined)
      putDoubts(scope, [makeDoubt('control character', quoteWord(nul), 'part.invisible', span)])
    const half = words.find((word) => !word.isWellFormed())
    if (half !== undefined) {
      const why = 'part.half-character'
      putDoubts(scope, [makeDoubt('control character', quoteWord(half), why, span)])
    }
    const all = words.map((value) => ({ text: quoteWord(value), value, pattern: false }))
    if (all.length === 0)
      putDoubts(scope, [makeDoubt('unknown program', '', () => reasonOf('part.programless-line'), span)])
    else
      followCommand(
        { words: all, span, redirections: [], doubts: [], inShell: false },
        { ...scope, source: whole, holder: span },
        '',
      )
  })
}

/** A line with too many words is read again with fewer words of each command, so that a deny still finds its command. */
function read(lineOf: () => string, fill: (scope: Scope) => void): ShellReading {
  let scope = newScope(undefined)
  for (const most of TRIED_LENGTHS) {
    scope = newScope(most)
    try {
      withSteps(MAX_STEPS, () => fill(scope))
      const { commands, tells } = scope
      const doubts = most === undefined ? scope.doubts : [doubtLength(lineOf()), ...scope.doubts]
      return tells.length === 0 ? { commands, doubts } : { commands, doubts, tells }
    } catch (error) {
      if (!(error instanceof LineTooLong || error instanceof RangeError)) return notRead(lineOf(), scope)
      if (error.message === 'parsed') break
    }
  }
  return tooLong(lineOf(), scope)
}

function newScope(most: number | undefined): Scope {
  return {
    source: '',
    holder: undefined,
    through: [],
    redirections: [],
    depth: 0,
    track: { moves: 0, lost: false },
    searched: false,
    commands: [],
    doubts: [],
    tells: [],
    loops: new Set(),
    budget: createLineBudget(),
    most,
    shortened: undefined,
    readers: READERS,
  }
}

/** Some thirty words. */
const END = 200

/** What was found until then stays, and the rest is searched for programs that are denied. */
function tooLong(line: string, scope: Scope): ShellReading {
  const span = { start: 0, end: line.length }
  const commands = [...scope.commands]
  const { searched } = LINE_LIMITS
  const tail = searched / 4
  // Its end and what comes after the last command that was found are searched first.
  const end = commands.reduce((last, command) => Math.max(last, command.end), 0)
  const text =
    line.length <= searched
      ? `${line.slice(-END).replace(/^\S+/, '')}\n${line.slice(end)}\n${line.slice(0, end)}`
      : `${line.slice(0, searched - tail)}\n${line.slice(-tail)}`
  readLoosely(text, span, { through: [], redirections: [] }, (command) => commands.push(command))
  return { commands, doubts: [doubtLength(line), ...scope.doubts] }
}

function doubtLength(line: string): Doubt {
  return makeDoubt('too long', line, 'part.too-long', { start: 0, end: line.length })
}

function notRead(line: string, scope: Scope): ShellReading {
  const doubt = makeDoubt('unparsable', line, 'part.unclear', { start: 0, end: line.length })
  return { commands: scope.commands, doubts: [...scope.doubts, doubt] }
}

/** One that is too long for the parser is tried without the bodies of its here-documents. */
function readLine(line: string, scope: Scope): void {
  if (line.length <= scope.budget.left('parsed')) {
    readText(line, scope, '')
    return
  }
  const shortened = leaveOutBodies(line)
  if (shortened.text.length > scope.budget.left('parsed')) throw new LineTooLong('parsed')
  doubtCharacters(line, scope)
  readText(shortened.text, { ...scope, shortened }, '')
  shortened.checkAllMet()
}

const READERS: Readers = {
  readSource: readText,
  readStatements,
  readCommand,
  readCompound,
  readWord,
  readLooseParts,
  readYield,
  giveUp,
}

function readText(text: string, scope: Scope, folder: Folder): Folders {
  const here = { ...scope, source: text }
  doubtCharacters(text, here)
  const spot = findBlindSpot(text)
  if (spot !== undefined) {
    const form = text.slice(spot.start, spot.end)
    giveUp(text, (shown) => reasonOf('part.unclear-form', { text: shown, form }), here)
  }
  if (here.depth >= MAX_DEPTH) return giveUp(text, 'part.too-deep', here)
  return readParsed(parseShell(text, here.budget), here, folder)
}

function doubtCharacters(text: string, scope: Scope): void {
  const control = findControl(text)
  if (control !== -1) {
    const character = codePointName(text, control)
    const why = (shown: string) => reasonOf('part.character', { text: shown, character })
    const span = scope.holder ?? { start: control, end: control + 1 }
    putDoubts(scope, [makeDoubt('control character', text, why, span)])
  }
  if (!text.isWellFormed()) {
    const span = scope.holder ?? { start: 0, end: text.length }
    const why = 'part.half-character'
    putDoubts(scope, [makeDoubt('control character', text, why, span)])
  }
}

function readParsed(script: Script, scope: Scope, folder: Folder): Folders {
  const [error] = script.errors ?? []
  if (error === undefined) return readStatements(script.commands, scope, folder)
  readStatements(script.commands, { ...scope, searched: true }, folder)
  const text = script.source ?? scope.source.slice(script.pos, script.end)
  return giveUp(
    text,
    (shown) => reasonOf('part.unclear-because', { text: shown, error: error.message }),
    scope,
  )
}

/** What can't be parsed is searched for names of programs all the same, for the sake of what is denied. */
function giveUp(text: string, why: WhyDoubted, scope: Scope): Folders {
  const span = scope.holder ?? { start: 0, end: scope.source.length }
  putDoubts(scope, [makeDoubt('unparsable', text, why, span)])
  if (!scope.searched) readLoosely(text, span, scope, (command) => putCommand(scope, command))
  return staying(undefined)
}

function readYield(yielded: WordYield, scope: Scope, folder: Folder): void {
  putDoubts(scope, yielded.doubts)
  for (const { script, span } of yielded.scripts) readYieldedScript(script, span, inOwnShell(scope), folder)
}

/** How deep it is looked into a text that is a doubt and searched as a whole anyway. */
const SEARCHED_DEPTH = 16

function readYieldedScript(script: Script, span: LineSpan, scope: Scope, folder: Folder): void {
  if (scope.searched && scope.depth >= SEARCHED_DEPTH) return
  const here =
    script.source === undefined ? { ...scope, depth: scope.depth + 1 } : inside(scope, script.source, span)
  if (here.depth >= MAX_DEPTH) giveUp(scope.source.slice(span.start, span.end), 'part.too-deep', here)
  else readParsed(script, here, folder)
}
