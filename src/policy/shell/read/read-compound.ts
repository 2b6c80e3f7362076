/**
 * Reads loops, branches, groups, functions and tests: every command in them, whether it would run or not. What may run
 * or not run leaves the folder uncertain where it would change it.
 */
import { NONE } from '../commands/found-command.ts'
import { isOwnName } from '../commands/harmless-variables.ts'
import type { Compound } from '../commands/readers.ts'
import { inOwnShell, makeDoubt, putDoubts, type Scope, spanOf } from '../commands/scope.ts'
import { hasSecret, isPattern, tellsPart } from '../commands/told-variables.ts'
import type { Case, CompoundList, If, RedirectionNode, Word } from '../parse/parse.ts'
import { type Folder, type Folders, merge, same, staying } from '../paths/folder.ts'
import type { Tie } from '../reading.ts'
import { inputSource } from './input-source.ts'
import { readArithmetic } from './read-expansion.ts'
import { expansionsOf, putRedirections, readRedirection } from './read-redirection.ts'
import { readTest } from './read-test-expression.ts'
import { emptyYield, readWord } from './read-word.ts'

export function readCompound(node: Compound | CompoundList, scope: Scope, folder: Folder): Folders {
  switch (node.type) {
    case 'CompoundList':
      return scope.readers.readStatements(node.commands, scope, folder)
    case 'BraceGroup':
      return scope.readers.readStatements(node.body.commands, scope, folder)
    case 'Subshell':
      scope.readers.readStatements(node.body.commands, inOwnShell(scope), folder)
      return staying(folder)
    case 'If':
      return readIf(node, scope, folder)
    case 'Case':
      return readCase(node, scope, folder)
    case 'While':
      return repeat(scope, folder, () => {
        const clause = scope.readers.readStatements(node.clause.commands, scope, folder)
        scope.readers.readStatements(node.body.commands, scope, merge(clause))
      })
    case 'For':
    case 'Select':
      readName(node.name, scope)
      readWords(node.wordlist ?? [], scope, folder)
      if (node.type === 'Select') doubtChoices(node.wordlist ?? [], scope)
      return repeat(scope, folder, () => {
        scope.readers.readStatements(node.body.commands, inLoop(node, scope), folder)
      })
    case 'ArithmeticFor':
      readExpressions([node.initialize, node.test, node.update], node, scope, folder)
      return repeat(scope, folder, () => {
        scope.readers.readStatements(node.body.commands, scope, folder)
      })
    case 'Function':
      return readFunction(node, scope, folder)
    case 'Coproc': {
      if (node.name !== undefined) readName(node.name, scope)
      const own = inOwnShell(scope)
      if (node.body.type === 'Command') scope.readers.readCommand(node.body, own, folder)
      else readCompound(node.body, own, folder)
      return staying(folder)
    }
    case 'TestCommand': {
      const yielded = emptyYield()
      readTest(node.expression, scope, yielded)
      scope.readers.readYield(yielded, scope, folder)
      return staying(folder)
    }
    case 'ArithmeticCommand':
      readExpressions([node.expression], node, scope, folder)
      return staying(folder)
    case 'Redirected':
      return readRedirected(node.command, node.redirects, scope, folder)
  }
}

function readIf(node: If, scope: Scope, folder: Folder): Folders {
  const ends: Folder[] = []
  let clause = scope.readers.readStatements(node.clause.commands, scope, folder)
  ends.push(merge(scope.readers.readStatements(node.then.commands, scope, clause.success)))
  for (const branch of node.elif) {
    clause = scope.readers.readStatements(branch.clause.commands, scope, clause.failure)
    ends.push(merge(scope.readers.readStatements(branch.then.commands, scope, clause.success)))
  }
  ends.push(
    node.else === undefined
      ? clause.failure
      : merge(scope.readers.readStatements(node.else.commands, scope, clause.failure)),
  )
  return staying(ends.reduce(same))
}

/** What a loop sets is told where it is one of some words, unless a variable is among them. */
function inLoop({ name, wordlist }: Extract<Compound, { type: 'For' | 'Select' }>, scope: Scope): Scope {
  const loops = new Set(scope.loops)
  const words = wordlist?.map(({ text }) => text) ?? ['$@']
  if (words.some(tellsPart)) scope.tells.push(words.join(' '))
  if (words.some((text) => hasSecret(text, scope.loops))) loops.delete(name.text)
  else loops.add(name.text)
  return { ...scope, loops }
}

function readCase(node: Case, scope: Scope, folder: Folder): Folders {
  readWords([node.word], scope, folder)
  const patterns = node.items.flatMap(({ pattern }) => pattern.map(({ text }) => text))
  const tells =
    hasSecret(node.word.text, scope.loops) && patterns.some((text) => text !== '*' && isPattern(text))
  if (tells || [node.word.text, ...patterns].some(tellsPart)) scope.tells.push(node.word.text)
  let end: Folder = folder
  // After `;&` and `;;&` what follows may begin where this one ended.
  let falling: Folder = folder
  for (const item of node.items) {
    readWords(item.pattern, scope, folder)
    const after = merge(scope.readers.readStatements(item.body.commands, scope, falling))
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

function readFunction(node: Extract<Compound, { type: 'Function' }>, scope: Scope, folder: Folder): Folders {
  const span = spanOf(scope, { start: node.pos, end: node.end })
  const why = 'part.redefinition'
  putDoubts(scope, [makeDoubt('redefinition', node.name.text, why, span)])
  const first = scope.commands.length
  readCompound(node.body, scope, undefined)
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
): Folders {
  const yielded = emptyYield()
  const own: Tie[] = []
  const inputs: Tie[] = []
  for (const redirect of redirects) {
    const redirection = readRedirection(redirect, scope, yielded)
    if (redirection !== undefined) own.push(redirection)
    const input = inputSource(redirect)
    if (input !== undefined) inputs.push(input)
  }
  const ties = [...own, ...inputs]
  const around = ties.length === 0 ? scope : { ...scope, redirections: [...scope.redirections, ...ties] }
  const first = scope.commands.length
  const folders = readCompound(node, around, folder)
  if (own.length > 0 && scope.commands.length === first) {
    const span = spanOf(scope, { start: node.pos, end: node.end })
    putRedirections({ span, redirections: around.redirections, doubts: NONE }, scope, folder)
  }
  scope.readers.readYield(yielded, scope, folder)
  return folders
}

function readWords(words: readonly Word[], scope: Scope, folder: Folder): void {
  const yielded = emptyYield()
  for (const word of words) readWord(word, scope, yielded)
  scope.readers.readYield(yielded, scope, folder)
}

/** `select` prints the words that can be chosen from, with what variables hold. */
function doubtChoices(words: readonly Word[], scope: Scope): void {
  const open = words.find(({ parts }) => expansionsOf(parts).length > 0)
  if (open === undefined) return
  const span = spanOf(scope, { start: open.pos, end: open.end })
  putDoubts(scope, [makeDoubt('expansion', open.text, 'part.printed', span)])
}

function readExpressions(
  expressions: readonly (Parameters<typeof readArithmetic>[0] | undefined)[],
  node: { pos: number; end: number },
  scope: Scope,
  folder: Folder,
): void {
  const yielded = emptyYield()
  const span = spanOf(scope, { start: node.pos, end: node.end })
  yielded.doubts.push(
    makeDoubt('expansion', scope.source.slice(node.pos, node.end), 'part.shells-differ', span),
  )
  for (const expression of expressions)
    if (expression !== undefined) readArithmetic(expression, scope, yielded)
  scope.readers.readYield(yielded, scope, folder)
}

function readName(name: Word, scope: Scope): void {
  if (isOwnName(name.value)) return
  const span = spanOf(scope, { start: name.pos, end: name.end })
  putDoubts(scope, [makeDoubt('assignment', name.text, 'part.variable', span)])
}
