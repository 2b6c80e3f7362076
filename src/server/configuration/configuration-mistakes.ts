/** What is wrong with a configuration, in words that help: what is expected there, with an example. */
import type { z } from 'zod'
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { nearestWord } from '../../core/support/nearest-word.ts'

export interface ConfigurationMistake {
  path: readonly PropertyKey[]
  reason: Reason
}

/** `keysAt` says which keys may stand below a path. Several where an object has several keys that are not known. */
export function describeMistakes(
  issue: z.core.$ZodIssue,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): ConfigurationMistake[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ path: issue.path, reason: reasonFor(issue, issue.path.join('.'), keysAt([])) }]
  const keys = keysAt(issue.path)
  return issue.keys.map((written) => {
    const near = nearestWord(written, keys)
    const key = JSON.stringify(written)
    return {
      path: [...issue.path, written],
      reason:
        near === undefined
          ? reasonOf('key.unknown', { key, keys })
          : reasonOf('key.meant', { key, near, keys }),
    }
  })
}

/** Of these a limit is a number, and not a length. */
const COUNTED: ReadonlySet<string> = new Set(['number', 'int', 'bigint'])

function reasonFor(issue: z.core.$ZodIssue, path: string, keys: readonly string[]): Reason {
  if (issue.code === 'invalid_value') {
    const values = issue.values.map(String)
    return values.length === 1
      ? reasonOf('key.value', { path, value: values })
      : reasonOf('key.one-of', { path, values })
  }
  if (issue.code === 'too_small' && issue.inclusive === true && COUNTED.has(issue.origin))
    return reasonOf('key.least', { path, limit: String(issue.minimum) })
  if (issue.code === 'too_big' && issue.inclusive === true && COUNTED.has(issue.origin))
    return reasonOf('key.most', { path, limit: String(issue.maximum) })
  // What a check of one key says is in its own words.
  if (issue.code !== 'invalid_type') {
    const why = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
    return path === '' ? reasonOf('mistake.text', { text: why }) : reasonOf('key.other', { path, why })
  }
  if (issue.path.length === 0) return reasonOf('key.top', { keys })
  if (issue.path[0] === 'people' && issue.path.length === 2)
    return reasonOf('key.person', { path, right: '{ groups: [approvers] }' })
  return issue.expected === 'array'
    ? reasonOf('key.list', { path })
    : reasonOf('key.kind', { path, kind: issue.expected })
}
