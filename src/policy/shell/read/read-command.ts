/** Reads a simple command: what it sets, what it is tied to, what it is called with, and what its words run. */

import { foundCommand, NONE } from '../commands/found-command.ts'
import { type LineSpan, makeDoubt, putCommand, putDoubts, type Scope, spanOf } from '../commands/scope.ts'
import type { Assignment, Command, RedirectionNode, Statement } from '../parse/parse.ts'
import { type Folder, type Folders, staying } from '../paths/folder.ts'
import type { GivenText, Redirection, ShellWord } from '../reading.ts'
import { followCommand, type ReadSource } from '../wrappers/follow-command.ts'
import { readAssignment } from './read-assignment.ts'
import { readRedirection } from './read-redirection.ts'
import { emptyYield, readWord, type WordYield } from './read-word.ts'

/** What the reading of commands needs of the reading of scripts. */
export interface ScriptReader {
  readonly readSource: ReadSource
  readStatements(statements: readonly Statement[], scope: Scope, folder: Folder): Folders
  /** Puts down a text that is not read as a doubt, and what programs it might run. */
  giveUp(text: string, why: string, scope: Scope): void
  /** Reads what words brought along; each text in a shell of its own. */
  readBrought(brought: WordYield, scope: Scope, folder: Folder): void
}

export function readCommand(node: Command, scope: Scope, folder: Folder, reader: ScriptReader): Folders {
  const brought = emptyYield()
  doubtGaps(node, scope)
  const words: ShellWord[] = []
  const redirections: (Redirection | GivenText)[] = []
  for (const part of node.prefix) {
    if (part.type === 'Assignment') readAssignment(part, scope, brought)
    else tie(part)
  }
  if (node.name !== undefined) words.push(readWord(node.name, scope, brought))
  for (const part of node.suffix) {
    if (part.type === 'Word') words.push(readWord(part, scope, brought))
    else if (part.type === 'Assignment') words.push(assignmentWord(part, scope, brought))
    else tie(part)
  }
  const span = spanOf(scope, { start: node.pos, end: node.end })
  const all = redirections.length === 0 ? scope.redirections : [...scope.redirections, ...redirections]
  const first = scope.commands.length
  const folders =
    words.length > 0
      ? followCommand(
          { words, span, redirections: all, doubts: brought.doubts, inShell: true },
          scope,
          folder,
          reader.readSource,
        )
      : putRedirectionsOnly(span, all, redirections.length > 0, brought, scope, folder)
  if (scope.commands.length > first + 1) doubtEscapes(words, span, scope)
  reader.readBrought({ scripts: brought.scripts, doubts: [] }, scope, folder)
  return folders

  function tie(part: RedirectionNode): void {
    const redirection = readRedirection(part, scope, brought)
    if (redirection !== undefined) redirections.push(redirection)
  }
}

/** The parser passes over brackets that stand where none can. What is left between the words must be blank. */
function doubtGaps(node: Command, scope: Scope): void {
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix]
  let end = parts[0]?.pos ?? node.end
  for (const part of parts) {
    if (part.pos > end && !BLANK.test(scope.source.slice(end, part.pos))) doubtGap(end, part.pos)
    end = Math.max(end, part.end)
  }
  const behind = /^[ \t]*\(/.exec(scope.source.slice(end, end + MAX_BLANK))
  if (behind !== null) doubtGap(end, end + behind[0].length)

  function doubtGap(start: number, stop: number): void {
    const text = scope.source.slice(start, stop).trim()
    const why = 'stands where no shell expects it'
    putDoubts(scope, [makeDoubt('unparsable', text, why, spanOf(scope, { start, end: stop }))])
  }
}

const BLANK = /^(?:[ \t]|\\\n)*$/
const MAX_BLANK = 256

/** A text that a shell reads must be the same text to every shell, and `$'…'` with escapes is not. */
function doubtEscapes(words: readonly ShellWord[], span: LineSpan, scope: Scope): void {
  const word = words.find(({ text }) => text.includes("$'") && text.includes('\\'))
  if (word !== undefined)
    putDoubts(scope, [makeDoubt('expansion', word.text, 'is something else to other shells', span)])
}

/** Where only a redirection stands it is put down with `:`, the command that does nothing. */
export function putRedirectionsOnly(
  span: LineSpan,
  redirections: readonly (Redirection | GivenText)[],
  isTied: boolean,
  brought: WordYield,
  scope: Scope,
  folder: Folder,
): Folders {
  putDoubts(scope, brought.doubts)
  if (isTied) {
    const words = [{ text: ':', value: ':', pattern: false }]
    const { through } = scope
    const doubts = brought.doubts.length === 0 ? NONE : brought.doubts
    putCommand(
      scope,
      foundCommand({ words, through, transparent: false, redirections, doubts, span, folder }),
    )
  }
  return staying(folder)
}

/** `export X=1`: the command that it is given to says whether that is a doubt. */
function assignmentWord(node: Assignment, scope: Scope, brought: WordYield): ShellWord {
  const own = emptyYield()
  readAssignment(node, scope, own)
  for (const script of own.scripts) brought.scripts.push(script)
  for (const doubt of own.doubts) if (doubt.kind !== 'assignment') brought.doubts.push(doubt)
  const value =
    node.value.type === 'Word' && node.index === undefined
      ? readWord(node.value, scope, emptyYield())
      : undefined
  const fixed = value?.value !== undefined && !value.pattern
  return {
    text: node.text,
    value: fixed ? `${node.name}${node.append ? '+' : ''}=${value.value}` : undefined,
    pattern: false,
  }
}
