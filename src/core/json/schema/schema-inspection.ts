/** What the keywords of a schema share while one value is checked. */
import type { Reason } from '../../reasons/reason.ts'
import { reasonOf } from '../../reasons/reason-of.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { pointerStep } from '../pointer-step.ts'
import type { SchemaIssue } from './check-json.ts'
import type { SchemaPatterns } from './schema-patterns.ts'
import { type SchemaWork, UnreadableSchema } from './schema-work.ts'

export type SchemaFit = 'yes' | 'no' | 'unknown'

/** Put together only when it is told: a check makes very many of them, and names may be long. */
export interface SchemaPath {
  up?: SchemaPath
  /** The top has a whole pointer. */
  step: string | number
}

/** Where in the schema and where in the value. */
export interface SchemaPlace {
  schema: SchemaPath
  value: SchemaPath
}

export function under(up: SchemaPath, ...steps: (string | number)[]): SchemaPath {
  return steps.reduce<SchemaPath>((path, step) => ({ up: path, step }), up)
}

function pointerOf({ up, step }: SchemaPath): string {
  return up === undefined ? String(step) : pointerOf(up) + pointerStep(step)
}

export interface SchemaInspection {
  root: JsonValue
  work: SchemaWork
  patterns: SchemaPatterns
  /** Absent where only the answer is wanted. */
  issues: SchemaIssue[] | undefined
  /** Places of the schema that were left out. */
  unchecked: Set<string>
  depth: number
  check(schema: JsonValue, value: JsonValue, at: SchemaPlace, inspection: SchemaInspection): SchemaFit
}

/** Checks a value against keywords of a schema that belong together. */
export type CheckKeywords<Value = JsonValue> = (
  schema: JsonObject,
  value: Value,
  at: SchemaPlace,
  inspection: SchemaInspection,
) => SchemaFit

/** More help nobody. */
const MAX_ISSUES = 20
const MAX_UNCHECKED = 20

/** No beats unknown, and unknown beats yes. */
export function join(one: SchemaFit, other: SchemaFit): SchemaFit {
  if (one === 'no' || other === 'no') return 'no'
  return one === 'unknown' ? one : other
}

export function fault({ issues }: SchemaInspection, at: SchemaPlace, why: () => Reason): 'no' {
  if (issues !== undefined && issues.length < MAX_ISSUES) {
    issues.push({ pointer: pointerOf(at.value), reason: why() })
  }
  return 'no'
}

export function leaveOut({ unchecked, work }: SchemaInspection, place: SchemaPath): 'unknown' {
  if (unchecked.size < MAX_UNCHECKED) {
    const pointer = pointerOf(place)
    // The same place may come up for every entry of a list, and its names may be long.
    work.spend(pointer.length / 4)
    unchecked.add(pointer)
  }
  return 'unknown'
}

export function unreadable(because: string, at: SchemaPlace): never {
  const place = pointerOf(at.schema)
  throw new UnreadableSchema(`${because} (at ${place === '' ? 'its top' : place.slice(0, 200)})`)
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a keyword that must be a number. */
export function numberOf(schema: JsonObject, keyword: string, at: SchemaPlace): number | undefined {
  const value = schema[keyword]
  if (value === undefined || typeof value === 'number') return value
  return unreadable(`${keyword} must be a number`, at)
}

interface CountKeywords {
  readonly least: string
  readonly most: string
  readonly of: 'entries' | 'members' | 'characters'
}

/** The two keywords that say how many of something there may be. */
export function checkCount(
  schema: JsonObject,
  { least, most, of }: CountKeywords,
  count: number,
  at: SchemaPlace,
  inspection: SchemaInspection,
): SchemaFit {
  const min = numberOf(schema, least, at)
  const max = numberOf(schema, most, at)
  let fit: SchemaFit = 'yes'
  if (min !== undefined && count < min)
    fit = fault(inspection, at, () => reasonOf(`schema.few-${of}`, { limit: min }))
  if (max !== undefined && count > max)
    fit = fault(inspection, at, () => reasonOf(`schema.many-${of}`, { limit: max }))
  return fit
}

/** Undefined for a pattern that can't be checked. */
export function findPattern(
  pattern: string,
  text: string,
  { work, patterns }: SchemaInspection,
): boolean | undefined {
  work.spend(pattern.length)
  const regex = patterns.read(pattern)
  if (regex === undefined) return undefined
  work.spend((text.length * Math.ceil(regex.instructions / 32)) / 2)
  return regex.finds(text)
}
