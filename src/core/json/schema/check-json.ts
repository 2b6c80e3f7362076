/**
 * Whether a JSON value fits a JSON Schema that an agent wrote. Such a schema may be made to be expensive, so nothing of it
 * is handed to an engine that could run away: patterns are RE2 (`schema-patterns.ts`), every look at a value is counted,
 * and a check that would take too many is given up (`work.ts`).
 *
 * The answer has three values. What can't be checked, such as a pattern with a look-ahead, is left out, and its place is
 * told; a `not` or an `if` that depends on it is left out too, rather than decided by a guess.
 *
 * Keywords are those of draft 2020-12, with the older spellings of draft 4 and 7 that schemas still use.
 */
import type { Reason } from '../../reasons/reason.ts'
import { reasonOf } from '../../reasons/reason-of.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { checkArray } from './array-keywords.ts'
import { checkObject } from './object-keywords.ts'
import { checkNumber, checkText, checkType, isSame } from './plain-keywords.ts'
import {
  type CheckKeywords,
  fault,
  isObject,
  join,
  leaveOut,
  type SchemaFit,
  type SchemaInspection,
  type SchemaPlace,
  under,
  unreadable,
} from './schema-inspection.ts'
import { SchemaPatterns } from './schema-patterns.ts'
import { ExpensiveSchema, MAX_CHECK_DEPTH, SchemaWork, UnreadableSchema } from './schema-work.ts'

export interface SchemaIssue {
  /** Where in the value. */
  pointer: string
  /** What the value must be. */
  reason: Reason
}

export type SchemaCheck =
  | { kind: 'checked'; issues: SchemaIssue[]; unchecked: string[] }
  /** Nothing is known of whether it fits: it is no JSON Schema, or `expensive` to check. */
  | { kind: 'unreadable'; because: string; expensive: boolean }

/** `steps` is for tests. */
export function checkJson(schema: JsonValue, value: JsonValue, steps?: number): SchemaCheck {
  const issues: SchemaIssue[] = []
  const inspection: SchemaInspection = {
    root: schema,
    work: new SchemaWork(steps),
    patterns: new SchemaPatterns(),
    issues,
    unchecked: new Set(),
    depth: 0,
    check,
  }
  try {
    check(schema, value, { schema: { step: '' }, value: { step: '' } }, inspection)
  } catch (error) {
    if (error instanceof UnreadableSchema)
      return { kind: 'unreadable', because: error.message, expensive: error instanceof ExpensiveSchema }
    throw error
  }
  return { kind: 'checked', issues, unchecked: [...inspection.unchecked] }
}

function check(
  schema: JsonValue,
  value: JsonValue,
  at: SchemaPlace,
  inspection: SchemaInspection,
): SchemaFit {
  inspection.work.spend(STEPS_A_VISIT)
  if (schema === true) return 'yes'
  if (schema === false) return fault(inspection, at, () => reasonOf('schema.forbidden'))
  if (!isObject(schema)) return unreadable(`a schema must be an object, true or false`, at)
  const deeper = { ...inspection, depth: inspection.depth + 1 }
  if (deeper.depth > MAX_CHECK_DEPTH) {
    throw new ExpensiveSchema(`it is nested, or refers to itself, more than ${MAX_CHECK_DEPTH} times`)
  }
  let fit: SchemaFit = 'yes'
  for (const keyword of LEFT_OUT) {
    if (Object.hasOwn(schema, keyword)) fit = join(fit, leaveOut(deeper, under(at.schema, keyword)))
  }
  fit = join(fit, checkReference(schema, value, at, deeper))
  fit = join(fit, checkType(schema, value, at, deeper))
  fit = join(fit, checkChoices(schema, value, at, deeper))
  if (typeof value === 'string') fit = join(fit, checkText(schema, value, at, deeper))
  else if (typeof value === 'number') fit = join(fit, checkNumber(schema, value, at, deeper))
  else if (Array.isArray(value)) fit = join(fit, checkArray(schema, value, at, deeper))
  else if (isObject(value)) fit = join(fit, checkObject(schema, value, at, deeper))
  return join(fit, checkCombined(schema, value, at, deeper))
}

/** A visit with nothing to do takes about as long as ten of the simplest steps. */
const STEPS_A_VISIT = 10
/** They ask what other keywords have looked at, or come from elsewhere. */
const LEFT_OUT = [
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
  'extends',
  'disallow',
]

const checkReference: CheckKeywords = (schema, value, at, inspection) => {
  const { $ref } = schema
  if ($ref === undefined) return 'yes'
  if (typeof $ref !== 'string') return unreadable('$ref must be a text', at)
  if ($ref !== '#' && !$ref.startsWith('#/')) return leaveOut(inspection, under(at.schema, '$ref'))
  inspection.work.spend($ref.length)
  let found: JsonValue | undefined = inspection.root
  for (const step of $ref.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
      return unreadable('$ref leads nowhere', at)
    }
    found = (found as JsonObject)[name]
  }
  return inspection.check(found!, value, { ...at, schema: { step: $ref.slice(1) } }, inspection)
}

const checkChoices: CheckKeywords = (schema, value, at, inspection) => {
  const { enum: choices } = schema
  let fit: SchemaFit = 'yes'
  if (Object.hasOwn(schema, 'const') && !isSame(schema.const!, value, inspection.work)) {
    fit = fault(inspection, at, () => reasonOf('schema.const', { value: shown(schema.const!) }))
  }
  if (choices === undefined) return fit
  if (!Array.isArray(choices)) return unreadable('enum must be a list', at)
  inspection.work.spend(choices.length)
  if (choices.some((choice) => isSame(choice, value, inspection.work))) return fit
  return fault(inspection, at, () => {
    const values = choices.slice(0, MAX_SHOWN_CHOICES).map(shown)
    return reasonOf(choices.length > MAX_SHOWN_CHOICES ? 'schema.enum-more' : 'schema.enum', { values })
  })
}

const checkCombined: CheckKeywords = (schema, value, at, inspection) => {
  let fit: SchemaFit = 'yes'
  const quiet: SchemaInspection = { ...inspection, issues: undefined }
  const fits = (keyword: string, part: JsonValue, index?: number): SchemaFit =>
    inspection.check(
      part,
      value,
      { ...at, schema: under(at.schema, keyword, ...(index === undefined ? [] : [index])) },
      quiet,
    )
  for (const [index, part] of listed(schema, 'allOf', at).entries()) {
    const place = { ...at, schema: under(at.schema, 'allOf', index) }
    fit = join(fit, inspection.check(part, value, place, inspection))
  }
  if (schema.anyOf !== undefined) {
    const found = listed(schema, 'anyOf', at).map((part, index) => fits('anyOf', part, index))
    if (found.every((one) => one === 'no')) fit = fault(inspection, at, () => reasonOf('schema.no-form'))
    else if (!found.includes('yes')) fit = join(fit, 'unknown')
  }
  if (schema.oneOf !== undefined) {
    const found = listed(schema, 'oneOf', at).map((part, index) => fits('oneOf', part, index))
    const sure = found.filter((one) => one === 'yes').length
    if (sure > 1) fit = fault(inspection, at, () => reasonOf('schema.several-forms'))
    else if (found.every((one) => one === 'no')) {
      fit = fault(inspection, at, () => reasonOf('schema.no-form'))
    } else if (found.includes('unknown')) fit = join(fit, 'unknown')
  }
  if (schema.not !== undefined) {
    const found = fits('not', schema.not)
    if (found === 'yes') fit = fault(inspection, at, () => reasonOf('schema.wrong-form'))
    else if (found === 'unknown') fit = join(fit, 'unknown')
  }
  if (schema.if !== undefined) {
    const found = fits('if', schema.if)
    const branch = found === 'yes' ? 'then' : 'else'
    if (found === 'unknown') fit = join(fit, 'unknown')
    else if (schema[branch] !== undefined) {
      const place = { ...at, schema: under(at.schema, branch) }
      fit = join(fit, inspection.check(schema[branch], value, place, inspection))
    }
  }
  return fit
}

function listed(schema: JsonObject, keyword: string, at: SchemaPlace): JsonValue[] {
  const parts = schema[keyword]
  if (parts === undefined) return []
  return Array.isArray(parts) ? parts : unreadable(`${keyword} must be a list`, at)
}

const MAX_SHOWN_CHOICES = 20

/** Whole or not at all: a part of a secret is no longer recognised as one. */
function shown(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text.length > 300 ? 'a value that is too long to be shown here' : text
}
