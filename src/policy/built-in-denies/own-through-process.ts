/**
 * Whether a path through a process (`/proc/self/cwd/x`, `/dev/fd/7`) might be ours. Nobody can look such a path up for
 * whoever will use it, so what it may mean is compared with what is ours:
 *
 * - behind `root` it is the path from the root;
 * - behind `cwd` it is meant in every folder that the call is about, and in any folder else: it is ours if what follows
 *   could be the end of one of our paths, as in `/proc/123/cwd/.banksman/x`;
 * - an open file of another process may be our database, which the server has open, and so may one of the very process
 *   for a tool that is no shell, since the tools of our own agent run in the server. Standard input, output and error
 *   are none of ours. A command of a shell has open what its line gave it, and that is judged by itself;
 * - the memory of a process is ours in the same cases.
 */

import { posix } from 'node:path'
import { processMeanings } from '../../core/process/process-meaning.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { OwnPath } from './own-path.ts'
import type { OwnPaths } from './own-paths.ts'

export interface Opener {
  /** The folders that it may work in. */
  readonly bases: readonly string[]
  /** A command of a shell opens it, in a process of its own. */
  readonly isCommand: boolean
  /** What may be read is left out. */
  readonly reading: boolean
}

/** What of ours the path might be, for a message. */
export function ownThroughProcess(
  path: string,
  base: string | undefined,
  opener: Opener,
  paths: OwnPaths,
): Reason | undefined {
  const counts = (own: OwnPath | undefined) => own !== undefined && !(opener.reading && own.readable)
  const given = (own: OwnPath | undefined) =>
    counts(own) && own !== undefined ? reasonOf('own.place', { path: own.given }) : undefined
  for (const meaning of processMeanings(path, base)) {
    const found = (() => {
      switch (meaning.kind) {
        case 'absolute':
          return given(paths.ownerOf(meaning.path, '/'))
        case 'folder': {
          const tail = meaning.tail.join('/')
          const placed = opener.bases.map((one) => paths.ownerOf(posix.join(one, tail), '/')).find(counts)
          return given(placed ?? paths.endingWith(meaning.tail, opener.reading))
        }
        case 'descriptor': {
          const isStandard = meaning.number !== undefined && meaning.number <= 2 && meaning.tail.length === 0
          if (isStandard) return undefined
          if (meaning.whose === 'any' || !opener.isCommand) return OPEN_FILE
          return given(paths.endingWith(meaning.tail, opener.reading))
        }
        case 'memory':
          return meaning.whose === 'any' || !opener.isCommand ? MEMORY : undefined
        case 'other':
          return undefined
      }
    })()
    if (found !== undefined) return found
  }
  return undefined
}

const OPEN_FILE = reasonOf('own.open-file')
const MEMORY = reasonOf('own.memory')

/** A word of a line that has variables in it, with wildcards in their place; `$$` is the shell that runs the line. */
export function withWildcards(text: string): string {
  return text
    .replace(/["']/g, '')
    .replace(/\$(?:\$|BASHPID\b|\{BASHPID\})/g, 'self')
    .replace(/\$\{[^{}]*\}|\$\([^()]*\)|`[^`]*`|\$\w+/g, '*')
}
