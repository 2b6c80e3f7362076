/** Schemas by the Standard Schema interface, which zod and the libraries like it have. None of them is imported. */
import type { Parse } from './gate-arguments.ts'

interface StandardSchema {
  '~standard': { validate(value: unknown): StandardResult | PromiseLike<StandardResult> }
}

type StandardResult = { value: unknown; issues?: undefined } | { issues: readonly StandardIssue[] }

interface StandardIssue {
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined
}

/** Undefined for everything else, a JSON Schema above all: the tool itself checks its arguments then. */
export function parserOf(schema: unknown): Parse | undefined {
  if (!isStandardSchema(schema)) return undefined
  return async (value) => {
    const result = await schema['~standard'].validate(value)
    return result.issues === undefined
      ? { ok: true, value: result.value }
      : { ok: false, error: new Error(result.issues.map(issueText).join('; ')) }
  }
}

/** What the model wrote is what is judged, shown and run. */
export const asWritten: Parse = (value) => ({ ok: true, value })

function isStandardSchema(schema: unknown): schema is StandardSchema {
  const standard = (schema as Partial<StandardSchema> | null | undefined)?.['~standard']
  return typeof standard?.validate === 'function'
}

function issueText({ message, path = [] }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return place === '' ? message : `${place}: ${message}`
}
