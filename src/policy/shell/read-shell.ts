/**
 * Reads a shell line, or a command given as a list of words, into the commands that it would run. Whatever goes wrong
 * on the way is a doubt, never an error: a line that is not understood must never look like one without dangers.
 */
import { findControl, nameCharacter } from './characters.ts'
import { type Folder, type Folders, staying } from './folder.ts'
import { followCommand } from './follow.ts'
import { readLoosely } from './loose-reading.ts'
import { quote } from './normal-form.ts'
import { parseShell, type Script } from './parse.ts'
import { findBlindSpot } from './parser-blind-spots.ts'
import type { Reader } from './read-command.ts'
import { readStatements } from './read-script.ts'
import type { Brought } from './read-word.ts'
import type { ShellReading } from './reading.ts'
import { inOwnShell, inside, MAX_DEPTH, makeDoubt, type Scope, type Span } from './scope.ts'

/** What a shell would run if it were given this line. */
export function readShell(line: string): ShellReading {
  return read(line, (scope) => {
    readText(line, scope, '')
  })
}

/** What would run if this were started without a shell: the first word is the program, the others its arguments. */
export function readWords(words: readonly string[]): ShellReading {
  const line = words.map(quote).join(' ')
  return read(line, (scope) => {
    const span = { start: 0, end: line.length }
    const nul = words.find((word) => word.includes('\0'))
    if (nul !== undefined)
      scope.doubts.push(makeDoubt('control character', quote(nul), 'has a NUL in it', span))
    const all = words.map((value) => ({ text: quote(value), value, pattern: false }))
    if (all.length === 0) scope.doubts.push(makeDoubt('unknown program', '', 'names no program', span))
    else
      followCommand(
        { words: all, span, redirections: [], doubts: [], inShell: false },
        { ...scope, holder: span },
        '',
        readText,
      )
  })
}

function read(line: string, fill: (scope: Scope) => void): ShellReading {
  const scope: Scope = {
    source: line,
    holder: undefined,
    through: [],
    redirections: [],
    depth: 0,
    track: { moves: 0, lost: false },
    searched: false,
    commands: [],
    doubts: [],
  }
  try {
    fill(scope)
    return { commands: scope.commands, doubts: scope.doubts }
  } catch {
    const doubt = makeDoubt('unparsable', line, 'could not be read', { start: 0, end: line.length })
    return { commands: scope.commands, doubts: [...scope.doubts, doubt] }
  }
}

const READER: Reader = {
  readSource: readText,
  readBrought,
  giveUp,
  readStatements: (statements, scope, folder) => readStatements(statements, scope, folder, READER),
}

function readText(text: string, scope: Scope, folder: Folder): Folders {
  const here = { ...scope, source: text }
  const control = findControl(text)
  if (control !== -1) {
    const why = `has ${nameCharacter(text, control)}, which shells, terminals and people read differently`
    here.doubts.push(
      makeDoubt('control character', text, why, here.holder ?? { start: control, end: control + 1 }),
    )
  }
  if (!text.isWellFormed()) {
    const span = here.holder ?? { start: 0, end: text.length }
    here.doubts.push(
      makeDoubt('control character', text, 'has half of a character, which no program can be given', span),
    )
  }
  const spot = findBlindSpot(text)
  if (spot !== undefined) giveUp(text, `has \`${text.slice(spot.start, spot.end)}\`, which ${spot.why}`, here)
  if (here.depth >= MAX_DEPTH) return giveUp(text, 'lies too deep to be read', here)
  const script = parseShell(text)
  return script === undefined
    ? giveUp(text, 'has too many open braces to be read', here)
    : readParsed(script, here, folder)
}

function readParsed(script: Script, scope: Scope, folder: Folder): Folders {
  const [error] = script.errors ?? []
  if (error === undefined) return readStatements(script.commands, scope, folder, READER)
  readStatements(script.commands, { ...scope, searched: true }, folder, READER)
  const text = script.source ?? scope.source.slice(script.pos, script.end)
  return giveUp(text, `is not understood: ${error.message}`, scope)
}

/** What can't be parsed is searched for names of programs all the same, for the sake of what is denied. */
function giveUp(text: string, why: string, scope: Scope): Folders {
  const span = scope.holder ?? { start: 0, end: scope.source.length }
  scope.doubts.push(makeDoubt('unparsable', text, why, span))
  if (!scope.searched) readLoosely(text, span, scope)
  return staying(undefined)
}

function readBrought(brought: Brought, scope: Scope, folder: Folder): void {
  if (brought.doubts.length > 0) scope.doubts.push(...brought.doubts)
  for (const { script, span } of brought.scripts) readBroughtScript(script, span, inOwnShell(scope), folder)
}

/** How deep it is looked into a text that is a doubt and searched as a whole anyway. */
const SEARCHED_DEPTH = 16

function readBroughtScript(script: Script, span: Span, scope: Scope, folder: Folder): void {
  if (scope.searched && scope.depth >= SEARCHED_DEPTH) return
  const here =
    script.source === undefined ? { ...scope, depth: scope.depth + 1 } : inside(scope, script.source, span)
  if (here.depth >= MAX_DEPTH)
    giveUp(scope.source.slice(span.start, span.end), 'lies too deep to be read', here)
  else readParsed(script, here, folder)
}
