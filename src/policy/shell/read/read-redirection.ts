/**
 * Files that a command's input and output are tied to. Descriptors, `/dev/null` and pipes to a command in brackets are
 * no files; the command in brackets is read like any other.
 */

import { type CommandToPut, foundCommand } from '../commands/found-command.ts'
import { isOwnName } from '../commands/harmless-variables.ts'
import type { WordYield } from '../commands/readers.ts'
import { makeDoubt, putCommand, type Scope, shortenForDoubt, spanOf } from '../commands/scope.ts'
import type { RedirectionNode, Word, WordPart } from '../parse/parse.ts'
import type { Folder } from '../paths/folder.ts'
import type { GivenText, Redirection, ShellWord } from '../reading.ts'
import { readLooseParts, readWord } from './read-word.ts'

/** What else a process has open is known only to itself. */
const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|fd\/[012])$/

/** Some shells open a connection for a file of this name. */
const CONNECTION = /^\/+dev\/+(?:tcp|udp)\//

export function readRedirection(
  node: RedirectionNode,
  scope: Scope,
  yielded: WordYield,
): Redirection | GivenText | undefined {
  const span = spanOf(scope, { start: node.pos, end: node.end })
  if (node.descriptor?.type === 'FileDescriptorVariable' && !isOwnName(node.descriptor.name))
    yielded.doubts.push(makeDoubt('assignment', node.descriptor.name, 'part.variable', span))
  if (node.type === 'HereDoc') {
    scope.shortened?.meet(node)
    if (node.body.parts !== undefined) readLooseParts(node.body.parts, scope, yielded)
    if (node.closing === undefined)
      yielded.doubts.push(makeDoubt('unparsable', scope.source.slice(node.pos, node.end), 'part.open', span))
    return givenText(node.body.parts)
  }
  if (node.target === undefined) {
    yielded.doubts.push(
      makeDoubt('unparsable', scope.source.slice(node.pos, node.end), 'part.fileless', span),
    )
    return undefined
  }
  const word = readWord(node.target, scope, yielded)
  if (node.type === 'HereString') return givenText(node.target.parts)
  if (isPipe(node.target)) return undefined
  // `>! x` writes to x in zsh.
  const target = word.text.startsWith('!') ? undefined : fileOf(word)
  if (node.operator.endsWith('&') && target !== undefined && /^(\d+-?|-)$/.test(target)) return undefined
  if (target !== undefined && NO_FILE.test(target)) return undefined
  if (target === undefined ? /dev\/+(?:tcp|udp)\b/.test(word.text) : CONNECTION.test(target)) {
    yielded.doubts.push(makeDoubt('connection', word.text, 'part.connection', span))
  }
  const kind = node.operator === '<' || node.operator === '<&' ? 'read' : 'write'
  return { kind, target, text: shortenForDoubt(scope.source.slice(node.pos, node.end)) }
}

/** Redirections without a command stand with `:`, the command that does nothing. */
export function putRedirections(
  command: Pick<CommandToPut, 'span' | 'redirections' | 'doubts'>,
  scope: Scope,
  folder: Folder,
): void {
  const words = [{ text: ':', value: ':', pattern: false }]
  putCommand(scope, foundCommand({ ...command, words, through: scope.through, transparent: false, folder }))
}

/** A command in it is read by itself, and so is what that expands. */
function givenText(parts: readonly WordPart[] | undefined): GivenText | undefined {
  const expansions = expansionsOf(parts)
  return expansions.length === 0 ? undefined : { kind: 'text', expansions }
}

export function expansionsOf(parts: readonly WordPart[] | undefined): string[] {
  return (parts ?? []).flatMap(expansionsIn)
}

function expansionsIn(part: WordPart): string[] {
  switch (part.type) {
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(expansionsIn)
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'ArithmeticExpansion':
      return [part.text]
    default:
      return []
  }
}

function isPipe(target: Word): boolean {
  return target.parts?.length === 1 && target.parts[0]?.type === 'ProcessSubstitution'
}

function fileOf(word: ShellWord): string | undefined {
  if (word.value === undefined || word.pattern) return undefined
  return word.value.startsWith('~') && !word.text.startsWith('~') ? `./${word.value}` : word.value
}
