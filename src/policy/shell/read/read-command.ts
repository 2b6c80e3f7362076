/** Reads a simple command: what it sets, what it is tied to, what it is called with, and what its words run. */
import { NONE } from '../commands/found-command.ts'
import type { WordYield } from '../commands/readers.ts'
import { type LineSpan, makeDoubt, putDoubts, type Scope, spanOf } from '../commands/scope.ts'
import type { Assignment, Command, RedirectionNode } from '../parse/parse.ts'
import { type Folder, type Folders, staying } from '../paths/folder.ts'
import type { ShellWord, Tie } from '../reading.ts'
import { followCommand } from '../wrappers/follow-command.ts'
import { inputSource } from './input-source.ts'
import { readAssignment } from './read-assignment.ts'
import { putRedirections, readRedirection } from './read-redirection.ts'
import { emptyYield, readWord } from './read-word.ts'

export function readCommand(node: Command, scope: Scope, folder: Folder): Folders {
  const yielded = emptyYield()
  doubtGaps(node, scope)
  const words: ShellWord[] = []
  const redirections: Tie[] = []
  const inputs: Tie[] = []
  for (const part of node.prefix) {
    if (part.type === 'Assignment') readAssignment(part, scope, yielded)
    else tie(part)
  }
  if (node.name !== undefined) words.push(readWord(node.name, scope, yielded))
  for (const part of node.suffix) {
    if (part.type === 'Word') words.push(readWord(part, scope, yielded))
    else if (part.type === 'Assignment') words.push(assignmentWord(part, scope, yielded))
    else tie(part)
  }
  const span = spanOf(scope, { start: node.pos, end: node.end })
  const ties = redirections.length + inputs.length
  const all = ties === 0 ? scope.redirections : [...scope.redirections, ...redirections, ...inputs]
  const first = scope.commands.length
  let folders = staying(folder)
  if (words.length > 0) {
    const command = { words, span, redirections: all, doubts: yielded.doubts, inShell: true }
    folders = followCommand(command, scope, folder)
  } else {
    putDoubts(scope, yielded.doubts)
    const doubts = yielded.doubts.length === 0 ? NONE : yielded.doubts
    if (redirections.length > 0) putRedirections({ span, redirections: all, doubts }, scope, folder)
  }
  if (scope.commands.length > first + 1) doubtEscapes(words, span, scope)
  scope.readers.readYield({ scripts: yielded.scripts, doubts: [] }, scope, folder)
  return folders

  function tie(part: RedirectionNode): void {
    const redirection = readRedirection(part, scope, yielded)
    if (redirection !== undefined) redirections.push(redirection)
    const input = inputSource(part)
    if (input !== undefined) inputs.push(input)
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
    const why = 'part.unexpected'
    putDoubts(scope, [makeDoubt('unparsable', text, why, spanOf(scope, { start, end: stop }))])
  }
}

const BLANK = /^(?:[ \t]|\\\n)*$/
const MAX_BLANK = 256

/** A text that a shell reads must be the same text to every shell, and `$'…'` with escapes is not. */
function doubtEscapes(words: readonly ShellWord[], span: LineSpan, scope: Scope): void {
  const word = words.find(({ text }) => text.includes("$'") && text.includes('\\'))
  if (word !== undefined) putDoubts(scope, [makeDoubt('expansion', word.text, 'part.shells-differ', span)])
}

/** `export X=1`: the command that it is given to says whether that is a doubt. */
function assignmentWord(node: Assignment, scope: Scope, yielded: WordYield): ShellWord {
  const own = emptyYield()
  readAssignment(node, scope, own)
  for (const script of own.scripts) yielded.scripts.push(script)
  for (const doubt of own.doubts) if (doubt.kind !== 'assignment') yielded.doubts.push(doubt)
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
