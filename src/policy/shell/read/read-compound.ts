/**
 * Reads loops, branches, groups, functions and tests: every command in them, whether it would run or not. What may run
 * or not run leaves the folder uncertain where it would change it.
 */

import { inOwnShell, makeDoubt, putDoubts, type Scope, spanOf } from '../commands/scope.ts'
import type { Case, CommandNode, CompoundList, If, RedirectionNode, Word } from '../parse/parse.ts'
import { type Folder, type Folders, merge, same, staying } from '../paths/folder.ts'
import type { GivenText, Redirection } from '../reading.ts'
import { isOwnName } from './read-assignment.ts'
import { putRedirectionsOnly, readCommand, type ScriptReader } from './read-command.ts'
import { readArithmetic } from './read-expansion.ts'
import { expansionsOf, readRedirection } from './read-redirection.ts'
import { readTest } from './read-test-expression.ts'
import { emptyYield, readWord } from './read-word.ts'

type Compound = Exclude<CommandNode, { type: 'Command' }>

export function readCompound(
  node: Compound | CompoundList,
  scope: Scope,
  folder: Folder,
  reader: ScriptReader,
): Folders {
  switch (node.type) {
    case 'CompoundList':
      return reader.readStatements(node.commands, scope, folder)
    case 'BraceGroup':
      return reader.readStatements(node.body.commands, scope, folder)
    case 'Subshell':
      reader.readStatements(node.body.commands, inOwnShell(scope), folder)
      return staying(folder)
    case 'If':
      return readIf(node, scope, folder, reader)
    case 'Case':
      return readCase(node, scope, folder, reader)
    case 'While':
      return repeat(scope, folder, () => {
        const clause = reader.readStatements(node.clause.commands, scope, folder)
        reader.readStatements(node.body.commands, scope, merge(clause))
      })
    case 'For':
    case 'Select':
      readName(node.name, scope)
      readWords(node.wordlist ?? [], scope, folder, reader)
      if (node.type === 'Select') doubtChoices(node.wordlist ?? [], scope)
      return repeat(scope, folder, () => {
        reader.readStatements(node.body.commands, scope, folder)
      })
    case 'ArithmeticFor':
      readExpressions([node.initialize, node.test, node.update], node, scope, folder, reader)
      return repeat(scope, folder, () => {
        reader.readStatements(node.body.commands, scope, folder)
      })
    case 'Function':
      return readFunction(node, scope, folder, reader)
    case 'Coproc': {
      if (node.name !== undefined) readName(node.name, scope)
      const own = inOwnShell(scope)
      if (node.body.type === 'Command') readCommand(node.body, own, folder, reader)
      else readCompound(node.body, own, folder, reader)
      return staying(folder)
    }
    case 'TestCommand': {
      const brought = emptyYield()
      readTest(node.expression, scope, brought)
      reader.readBrought(brought, scope, folder)
      return staying(folder)
    }
    case 'ArithmeticCommand':
      readExpressions([node.expression], node, scope, folder, reader)
      return staying(folder)
    case 'Redirected':
      return readRedirected(node.command, node.redirects, scope, folder, reader)
  }
}

function readIf(node: If, scope: Scope, folder: Folder, reader: ScriptReader): Folders {
  const ends: Folder[] = []
  let clause = reader.readStatements(node.clause.commands, scope, folder)
  ends.push(merge(reader.readStatements(node.then.commands, scope, clause.success)))
  for (const branch of node.elif) {
    clause = reader.readStatements(branch.clause.commands, scope, clause.failure)
    ends.push(merge(reader.readStatements(branch.then.commands, scope, clause.success)))
  }
  ends.push(
    node.else === undefined
      ? clause.failure
      : merge(reader.readStatements(node.else.commands, scope, clause.failure)),
  )
  return staying(ends.reduce(same))
}

function readCase(node: Case, scope: Scope, folder: Folder, reader: ScriptReader): Folders {
  readWords([node.word], scope, folder, reader)
  let end: Folder = folder
  // After `;&` and `;;&` what follows may begin where this one ended.
  let falling: Folder = folder
  for (const item of node.items) {
    readWords(item.pattern, scope, folder, reader)
    const after = merge(reader.readStatements(item.body.commands, scope, falling))
    if (item.terminator !== ';;') falling = same(falling, after)
    end = same(end, after)
  }
  return staying(end)
}

/** The second round begins where the first one ended: if that may be elsewhere, no round's folder is certain. */
function repeat(scope: Scope, folder: Folder, round: () => void): Folders {
  const first = scope.commands.length
  const moves = scope.track.moves
  round()
  if (scope.track.moves === moves) return staying(folder)
  forgetFolders(scope, first)
  return staying(undefined)
}

function readFunction(
  node: Extract<Compound, { type: 'Function' }>,
  scope: Scope,
  folder: Folder,
  reader: ScriptReader,
): Folders {
  const span = spanOf(scope, { start: node.pos, end: node.end })
  const why = 'is given a meaning of its own by the line'
  putDoubts(scope, [makeDoubt('redefinition', node.name.text, why, span)])
  const first = scope.commands.length
  readCompound(node.body, scope, undefined, reader)
  forgetFolders(scope, first)
  scope.track.lost = true
  return staying(folder)
}

function forgetFolders(scope: Scope, first: number): void {
  for (const command of scope.commands.slice(first)) command.folder = undefined
}

function readRedirected(
  node: Compound,
  redirects: readonly RedirectionNode[],
  scope: Scope,
  folder: Folder,
  reader: ScriptReader,
): Folders {
  const brought = emptyYield()
  const own: (Redirection | GivenText)[] = []
  for (const redirect of redirects) {
    const redirection = readRedirection(redirect, scope, brought)
    if (redirection !== undefined) own.push(redirection)
  }
  const around = own.length === 0 ? scope : { ...scope, redirections: [...scope.redirections, ...own] }
  const first = scope.commands.length
  const folders = readCompound(node, around, folder, reader)
  if (own.length > 0 && scope.commands.length === first)
    putRedirectionsOnly(
      spanOf(scope, { start: node.pos, end: node.end }),
      around.redirections,
      true,
      emptyYield(),
      scope,
      folder,
    )
  reader.readBrought(brought, scope, folder)
  return folders
}

function readWords(words: readonly Word[], scope: Scope, folder: Folder, reader: ScriptReader): void {
  const brought = emptyYield()
  for (const word of words) readWord(word, scope, brought)
  reader.readBrought(brought, scope, folder)
}

/** `select` prints the words that can be chosen from, with what variables hold. */
function doubtChoices(words: readonly Word[], scope: Scope): void {
  const open = words.find(({ parts }) => expansionsOf(parts).length > 0)
  if (open === undefined) return
  const span = spanOf(scope, { start: open.pos, end: open.end })
  putDoubts(scope, [makeDoubt('expansion', open.text, 'is printed with what it comes to', span)])
}

function readExpressions(
  expressions: readonly (Parameters<typeof readArithmetic>[0] | undefined)[],
  node: { pos: number; end: number },
  scope: Scope,
  folder: Folder,
  reader: ScriptReader,
): void {
  const brought = emptyYield()
  const span = spanOf(scope, { start: node.pos, end: node.end })
  brought.doubts.push(
    makeDoubt(
      'expansion',
      scope.source.slice(node.pos, node.end),
      'is arithmetic in one shell and commands in another',
      span,
    ),
  )
  for (const expression of expressions)
    if (expression !== undefined) readArithmetic(expression, scope, brought)
  reader.readBrought(brought, scope, folder)
}

function readName(name: Word, scope: Scope): void {
  if (isOwnName(name.value)) return
  const span = spanOf(scope, { start: name.pos, end: name.end })
  putDoubts(scope, [
    makeDoubt('assignment', name.text, 'is a variable that may change what a program does', span),
  ])
}
