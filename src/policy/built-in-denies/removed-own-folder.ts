/** Tools that by their name remove or move files, given a folder in which ours lie. */

import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { CallSubject } from '../subject/subject.ts'
import type { OwnPaths } from './own-paths.ts'

const REMOVES = /delete|remove|rmdir|trash|unlink|move|rename/i

/** What is removed or moved; not where to, nor the root that it is named from. */
const REMOVED =
  /^(?:(?:file|dir|directory|folder|source|src|old|from)_?)*(?:path|paths|file|files|dir|directory|folder|source|src|target|from)$/i

export function removedOwnFolder({ call, facts }: CallSubject, paths: OwnPaths): Reason | undefined {
  if (!REMOVES.test(call.tool)) return undefined
  for (const [key, value] of Object.entries(call.arguments)) {
    if (!REMOVED.test(key)) continue
    const pointer = pointerStep(key)
    const given = Array.isArray(value) ? value : [value]
    for (const [index, path] of given.entries()) {
      if (typeof path !== 'string') continue
      const fact = facts?.paths?.[Array.isArray(value) ? `${pointer}/${index}` : pointer]
      const owner =
        (fact === undefined ? undefined : paths.below(fact.resolved, '/')) ??
        (call.cwd === undefined && !path.startsWith('/') ? undefined : paths.below(path, call.cwd ?? '/'))
      if (owner !== undefined)
        return reasonOf('own.path-reaches', { tool: call.tool, word: path.slice(0, 100), path: owner.given })
    }
  }
  return undefined
}
