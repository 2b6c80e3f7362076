/**
 * Walks through the tree of a script and finds every command in it, in the order in which they stand, with the folder
 * that each would run in.
 */

import { foundCommand, NONE } from '../commands/found-command.ts'
import { deeper, inOwnShell, MAX_DEPTH, putCommand, type Scope, spanOf } from '../commands/scope.ts'
import type { AndOr, CommandNode, Pipeline, PipelineNode, Statement } from '../parse/parse.ts'
import { type Folder, type Folders, merge, same, staying } from '../paths/folder.ts'
import { FROM_PIPE } from './input-source.ts'
import { readPiped } from './read-piped.ts'

export function readStatements(statements: readonly Statement[], scope: Scope, folder: Folder): Folders {
  let folders = staying(folder)
  for (const statement of statements) {
    const before = merge(folders)
    const around = statement.background ? inOwnShell(scope) : scope
    const after = readStatement(statement, around, before)
    folders = statement.background ? staying(before) : after
  }
  return folders
}

function readStatement(statement: Statement, scope: Scope, folder: Folder): Folders {
  const { command } = statement
  return command.type === 'AndOr'
    ? readAndOr(command, scope, folder)
    : readPipelineNode(command, scope, folder)
}

function readAndOr(node: AndOr, scope: Scope, folder: Folder): Folders {
  let folders = staying(folder)
  for (const [index, command] of node.commands.entries()) {
    const operator = index === 0 ? undefined : node.operators[index - 1]
    const from = operator === '||' ? folders.failure : folders.success
    const next = readPipelineNode(command, scope, from)
    if (operator === undefined) folders = next
    else if (operator === '&&')
      folders = { success: next.success, failure: same(folders.failure, next.failure) }
    else if (leaves(command)) folders = staying(folders.success)
    else folders = { success: same(folders.success, next.success), failure: next.failure }
  }
  return folders
}

/**
 * Whether nothing behind it is reached: `exit 1`, `{ echo no; exit 1; }`. With a redirection that fails or one word too
 * many, `exit` does not leave; nor does `return` where there is nothing to return from.
 */
function leaves(node: PipelineNode): boolean {
  if (node.type === 'BraceGroup') {
    const last = node.body.commands.at(-1)
    return last?.background !== true && last?.command.type === 'Command' && leaves(last.command)
  }
  if (node.type !== 'Command' || node.name?.value !== 'exit' || node.prefix.length > 0) return false
  const [status, ...others] = node.suffix
  return (
    others.length === 0 && (status === undefined || (status.type === 'Word' && /^\d+$/.test(status.text)))
  )
}

function readPipelineNode(node: PipelineNode, scope: Scope, folder: Folder): Folders {
  const first = scope.commands.length
  const folders = node.type === 'Pipeline' ? readPipeline(node, scope, folder) : readNode(node, scope, folder)
  const nodes = node.type === 'Pipeline' ? node.commands : [node]
  readPiped(nodes, scope.commands.slice(first), scope)
  return folders
}

/** Each command of a pipe has a shell of its own, but for the last one in some shells. */
function readPipeline(node: Pipeline, scope: Scope, folder: Folder): Folders {
  let around = scope
  let negated = false
  for (const prefix of node.prefixes) {
    if (prefix.type === 'Negation') negated = !negated
    else around = readTime(prefix, node.commands.length > 0, around, folder)
  }
  const [only] = node.commands
  if (node.commands.length === 1 && only !== undefined) {
    const { success, failure } = readNode(only, around, folder)
    return negated ? { success: failure, failure: success } : { success, failure }
  }
  let after = staying(folder)
  for (const [index, command] of node.commands.entries()) {
    const isLast = index === node.commands.length - 1
    const tied = index === 0 ? around : { ...around, redirections: [...around.redirections, FROM_PIPE] }
    after = readNode(command, isLast ? tied : inOwnShell(tied), folder)
  }
  return staying(same(folder, merge(after)))
}

/** The word `time` is a wrapper too, whether the shell or a program does it. */
function readTime(
  prefix: { pos: number; end: number },
  transparent: boolean,
  scope: Scope,
  folder: Folder,
): Scope {
  const span = spanOf(scope, { start: prefix.pos, end: prefix.end })
  const words = [{ text: 'time', value: 'time', pattern: false }]
  const { through, redirections } = scope
  const found = foundCommand({ words, through, transparent, redirections, doubts: NONE, span, folder })
  // Quoted it would be a program, and not the shell's own word.
  putCommand(scope, { ...found, text: 'time' })
  return { ...scope, through: [...scope.through, 'time'] }
}

function readNode(node: CommandNode, scope: Scope, folder: Folder): Folders {
  if (node.type === 'Command') return scope.readers.readCommand(node, scope, folder)
  if (scope.depth >= MAX_DEPTH)
    return scope.readers.giveUp(scope.source.slice(node.pos, node.end), 'part.too-deep', scope)
  return scope.readers.readCompound(node, deeper(scope), folder)
}
