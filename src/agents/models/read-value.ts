/** Checks a parsed value against a schema. The error names the place, and for a word that is not known, the known ones. */
import type { z } from 'zod'
import { BanksmanError } from '../../core/errors.ts'

export function readValue<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  subject: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  // A misspelt key is most often why another is missing.
  const { issues } = result.error
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!
  const place = placeOf(subject, issue.path)
  throw new BanksmanError('invalid_configuration', `${place}: ${wordsOf(issue)}`, { place })
}

function placeOf(subject: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (place, step) => (typeof step === 'number' ? `${place}[${step}]` : `${place}.${String(step)}`),
    subject,
  )
}

function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys')
    return `${issue.keys.map((key) => JSON.stringify(key)).join(', ')} is not known here`
  if (issue.code === 'invalid_union') {
    // The branch that got furthest is most likely the one that was meant.
    const branches = issue.errors.map((issues) => issues[0]).filter((first) => first !== undefined)
    const furthest = branches.reduce((a, b) => (b.path.length > a.path.length ? b : a), branches[0]!)
    return furthest === undefined ? issue.message : wordsOf(furthest)
  }
  // In our words where the schema has none of its own.
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input'))
    return `${issue.message.endsWith('undefined') ? 'is missing; it ' : ''}must be ${issue.expected === 'array' ? 'a list' : `of the kind ${issue.expected}`}`
  return issue.message
}
