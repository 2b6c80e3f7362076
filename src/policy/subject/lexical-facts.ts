/**
 * Facts made of texts alone, as if there were no links: for trying a policy out where there is no disk to look at. A
 * gateway never judges by these. Of a path that means another file in each process nothing is known here either.
 */

import { posix } from 'node:path'
import { defined } from '../../core/defined.ts'
import { isProcessPath } from '../../core/process/process-path.ts'
import type { Facts, PathFact } from '../../core/verdict.ts'
import type { JudgedCall, Policy } from '../policy.ts'

export function lexicalFacts(
  policy: Pick<Policy, 'lookups'>,
  call: JudgedCall,
  places: { home?: string | undefined; at?: number | undefined } = {},
): Facts {
  const { home, at } = places
  const lookups = policy.lookups(call)
  const resolve = (path: string): string | undefined => {
    if (path.includes('\0') || isProcessPath(path, call.cwd)) return undefined
    if (path === '~' || path.startsWith('~/')) {
      const there = home && posix.join(home, path.slice(1))
      return there === undefined || isProcessPath(there) ? undefined : there
    }
    if (posix.isAbsolute(path)) return withoutSlash(posix.normalize(path))
    return call.cwd === undefined || path.startsWith('~')
      ? undefined
      : withoutSlash(posix.join(call.cwd, path))
  }
  const paths: Record<string, PathFact> = {}
  for (const [pointer, path] of Object.entries(lookups.paths)) {
    const resolved = resolve(path)
    if (resolved !== undefined) paths[pointer] = { resolved, exists: true }
  }
  const words: Record<string, string> = {}
  for (const word of lookups.words) {
    const resolved = resolve(word)
    if (resolved !== undefined) words[word] = resolved
  }
  return {
    paths,
    words,
    ...defined({ at }),
    ...(call.cwd === undefined || isProcessPath(call.cwd)
      ? {}
      : { folder: withoutSlash(posix.normalize(call.cwd)) }),
  }
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}
