/** What is wrong with a configuration, in words that help: what is expected there, with an example. */
import type { z } from 'zod'
import { nearestWord } from '../../core/support/nearest-word.ts'

export interface ConfigurationMistake {
  path: readonly PropertyKey[]
  message: string
}

/** `keysAt` says which keys may stand below a path. Several where an object has several keys that are not known. */
export function describeMistakes(
  issue: z.core.$ZodIssue,
  keysAt: (path: readonly PropertyKey[]) => readonly string[],
): ConfigurationMistake[] {
  if (issue.code !== 'unrecognized_keys') {
    const { path } = issue
    return [{ path, message: `${path.join('.')} ${wordsOf(issue, keysAt([]))}`.trim() }]
  }
  const known = keysAt(issue.path)
  return issue.keys.map((key) => {
    const near = nearestWord(key, known)
    return {
      path: [...issue.path, key],
      message: `unknown key ${JSON.stringify(key)}${near === undefined ? '' : `; did you mean ${near}?`} The keys here are ${known.join(', ')}`,
    }
  })
}

function wordsOf(issue: z.core.$ZodIssue, keys: readonly string[]): string {
  if (issue.code === 'invalid_value') return `must be ${oneOf(issue.values.map(String))}`
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.path.length === 0) return `the file must be a list of keys with values: ${keys.join(', ')}`
  if (issue.path[0] === 'people' && issue.path.length === 2)
    return 'must be written as in { groups: [approvers] }'
  return `must be ${issue.expected === 'array' ? 'a list' : `of the kind ${issue.expected}`}`
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`
}
