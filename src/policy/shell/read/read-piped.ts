/**
 * A shell that reads code from its input is a doubt whatever the code is. Where the code stands in the line itself, in
 * a here-document or as the words of `echo`, it is read all the same, so that a deny finds what it would run.
 */

import { LineTooLong } from '../../steps.ts'
import { type FoundCommand, inOwnShell, inside, type Scope } from '../commands/scope.ts'
import type { CommandNode, RedirectionNode } from '../parse/parse.ts'
import { SHELLS } from '../wrappers/look-at-shell.ts'

/** `found` is what the commands of the pipe came to. */
export function readPiped(nodes: readonly CommandNode[], found: readonly FoundCommand[], scope: Scope): void {
  const shell = found.find(isShellOnInput)
  if (shell === undefined) return
  const through = [...shell.through, shell.program ?? '']
  // A body that was left out is code here, and would have to be read.
  if (scope.shortened !== undefined) throw new LineTooLong('parsed')
  for (const text of nodes.flatMap(textsOf))
    scope.readers.readSource(text, { ...inside(inOwnShell(scope), text, shell), through }, undefined)
}

function isShellOnInput(command: FoundCommand): boolean {
  return SHELLS.has(command.program ?? '') && command.doubts.some(({ kind }) => kind === 'inline code')
}

function textsOf(node: CommandNode): string[] {
  if (node.type === 'Redirected') return node.redirects.flatMap(textOf)
  if (node.type !== 'Command') return []
  const texts = node.redirects.flatMap(textOf)
  if (/^(echo|printf)$/.test(node.name?.value ?? ''))
    texts.push(node.args.map((word) => (word.type === 'Word' ? word.value : word.text)).join(' '))
  return texts
}

function textOf(redirection: RedirectionNode): string[] {
  if (redirection.type === 'HereDoc') return [redirection.body.text]
  if (redirection.type === 'Redirect' || redirection.target === undefined) return []
  return [redirection.target.value]
}
