/**
 * Variables that a line sets. Nearly any of them may change what a program does (`PATH`, `LD_PRELOAD`, `GIT_SSH`,
 * `BASH_ENV`, `IFS`, …), so only a few names that change nothing but how things look are let through.
 */

import { makeDoubt, type Scope, spanOf } from '../commands/scope.ts'
import type { Assignment } from '../parse/parse.ts'
import { readWord, type WordYield } from './read-word.ts'

const HARMLESS = /^(LANG|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|TERM)$/

/** No slash: `TZ`, `TERM` and `LANG` may name files. */
const HARMLESS_VALUE = /^[A-Za-z0-9_.,:+@-]*$/

/** Names in lower case that mean something to zsh or that programs look at. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'path fpath cdpath manpath mailpath module_path psvar prompt watch argv status pipestatus histchars aliases ' +
    'galiases saliases dis_aliases functions dis_functions commands builtins options parameters modules dirstack ' +
    'nameddirs userdirs signals keymaps widgets fignore zsh_eval_context http_proxy https_proxy ftp_proxy all_proxy ' +
    'no_proxy rsync_proxy'
  ).split(' '),
)

export function readAssignment(node: Assignment, scope: Scope, brought: WordYield): void {
  if (node.index !== undefined) readWord(node.index, scope, brought)
  if (node.value.type === 'ArrayValue') {
    for (const element of node.value.elements) readWord(element, scope, brought)
  } else {
    const word = readWord(node.value, scope, brought)
    const plain = node.index === undefined && node.append !== true && !word.pattern
    if (plain && word.value !== undefined && isHarmless(node.name, word.value)) return
  }
  const span = spanOf(scope, { start: node.pos, end: node.end })
  brought.doubts.push(
    makeDoubt('assignment', node.text, 'sets a variable that may change what a program does', span),
  )
}

export function isHarmless(name: string, value: string): boolean {
  return HARMLESS.test(name) && HARMLESS_VALUE.test(value)
}

/** A name for a loop or for `read` that no program looks at. */
export function isOwnName(name: string): boolean {
  return /^([a-z][a-z0-9_]*|_?[A-Z])$/.test(name) && !TAKEN.has(name) && !name.startsWith('npm_')
}
