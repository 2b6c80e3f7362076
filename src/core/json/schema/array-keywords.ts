/** Keywords of lists. */
import { reasonOf } from '../../reasons/reason-of.ts'
import { canonicalize, type JsonValue } from '../json.ts'
import {
  type CheckKeywords,
  checkCount,
  fault,
  join,
  numberOf,
  type SchemaFit,
  type SchemaInspection,
  under,
  unreadable,
} from './schema-inspection.ts'

const ENTRIES = { least: 'minItems', most: 'maxItems', of: 'entries' } as const

export const checkArray: CheckKeywords<JsonValue[]> = (schema, value, at, inspection) => {
  let fit = checkCount(schema, ENTRIES, value.length, at, inspection)
  if (schema.uniqueItems === true && !isUnique(value, inspection)) {
    fit = fault(inspection, at, () => reasonOf('schema.twice'))
  }
  fit = join(fit, checkItems(schema, value, at, inspection))
  return schema.contains === undefined ? fit : join(fit, checkContains(schema, value, at, inspection))
}

const checkItems: CheckKeywords<JsonValue[]> = (schema, value, at, inspection) => {
  const isOldTuple = Array.isArray(schema.items)
  const first = isOldTuple ? schema.items : (schema.prefixItems ?? [])
  if (!Array.isArray(first)) return unreadable('prefixItems must be a list', at)
  const keywords = isOldTuple
    ? { first: 'items', rest: 'additionalItems' }
    : { first: 'prefixItems', rest: 'items' }
  const rest = schema[keywords.rest]
  let fit: SchemaFit = 'yes'
  for (const [index, item] of value.entries()) {
    const part = first[index] ?? rest
    if (part === undefined) break
    const steps = index < first.length ? [keywords.first, index] : [keywords.rest]
    const place = { schema: under(at.schema, ...steps), value: under(at.value, index) }
    fit = join(fit, inspection.check(part, item, place, inspection))
  }
  return fit
}

const checkContains: CheckKeywords<JsonValue[]> = (schema, value, at, inspection) => {
  const min = numberOf(schema, 'minContains', at) ?? 1
  const max = numberOf(schema, 'maxContains', at) ?? Number.POSITIVE_INFINITY
  const quiet: SchemaInspection = { ...inspection, issues: undefined }
  const place = { schema: under(at.schema, 'contains'), value: at.value }
  const fits = value.map((item) => inspection.check(schema.contains!, item, place, quiet))
  const sure = fits.filter((fit) => fit === 'yes').length
  const possible = fits.filter((fit) => fit !== 'no').length
  if (possible < min) return fault(inspection, at, () => reasonOf('schema.few-of-form', { limit: min }))
  if (sure > max) return fault(inspection, at, () => reasonOf('schema.many-of-form', { limit: max }))
  return sure >= min && possible <= max ? 'yes' : 'unknown'
}

function isUnique(value: JsonValue[], { work }: SchemaInspection): boolean {
  const seen = new Set<string>()
  for (const item of value) {
    const text = canonicalize(item)
    work.spend(1 + text.length / 4)
    if (seen.has(text)) return false
    seen.add(text)
  }
  return true
}
