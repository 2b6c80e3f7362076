/**
 * What a command runs besides itself. `words[at]` is the program; the words behind it are looked at only as far as
 * they are the wrapper's own.
 */

import { notFollowed, RUNS_NOTHING, type WrapperLook } from '../commands/inner-command.ts'
import type { ShellWord } from '../reading.ts'
import { lookAtFd, lookAtFind } from './look-at-find.ts'
import { lookAtScript, lookAtShell, lookAtSu, SHELLS } from './look-at-shell.ts'
import { lookAtWrapper } from './look-at-wrapper.ts'
import { lookAtXargs } from './look-at-xargs.ts'
import { UNFOLLOWED, WRAPPERS } from './wrapper-table.ts'

type LookAt = (words: readonly ShellWord[], at: number) => WrapperLook

const FAMILIES: ReadonlyMap<string, LookAt> = new Map<string, LookAt>([
  ['find', lookAtFind],
  ['gfind', lookAtFind],
  ['fd', lookAtFd],
  ['fdfind', lookAtFd],
  ['xargs', lookAtXargs],
  ['gxargs', lookAtXargs],
  ['su', lookAtSu],
  ['runuser', lookAtSu],
  ['script', lookAtScript],
  ...[...SHELLS].map((name): [string, LookAt] => [name, lookAtShell]),
  ...Object.entries(WRAPPERS).map(([name, wrapper]): [string, LookAt] => [
    name,
    (words, at) => lookAtWrapper(wrapper, words, at),
  ]),
  ...[...UNFOLLOWED].map((name): [string, LookAt] => [name, lookAtUnfollowed]),
])

export function lookThrough(program: string, words: readonly ShellWord[], at: number): WrapperLook {
  return FAMILIES.get(program)?.(words, at) ?? RUNS_NOTHING
}

/** Whether it is known what the program runs. */
export function isFollowed(program: string): boolean {
  return FAMILIES.has(program)
}

/** Listings of `tmux`, which start no server. With more words they may run something: `-F '#(id)'`, `\;`. */
const LISTINGS = ['ls', 'list-sessions', 'lsc', 'list-clients', 'lscm', 'list-commands']

function lookAtUnfollowed(words: readonly ShellWord[], at: number): WrapperLook {
  const only = words.length === at + 2 ? words[at + 1]?.value : undefined
  if (words[at]?.value === 'tmux' && LISTINGS.includes(only ?? '')) return RUNS_NOTHING
  const from = words.findIndex((word, index) => index > at && !(word.value ?? '').startsWith('-'))
  return from === -1 ? RUNS_NOTHING : notFollowed(words, from, 'part.not-followed', at)
}
