/** What the keywords of a schema share while one value is checked. */
import { type JsonObject, type JsonValue, pointerStep } from '../json.ts'
import type { SchemaIssue } from './check-json.ts'
import type { SchemaPatterns } from './schema-patterns.ts'
import { UnreadableSchema, type Work } from './work.ts'

export type Fit = 'yes' | 'no' | 'unknown'

/** Put together only when it is told: a check makes very many of them, and names may be long. */
export interface Path {
  up?: Path
  /** The top has a whole pointer. */
  step: string | number
}

/** Where in the schema and where in the value. */
export interface Place {
  schema: Path
  value: Path
}

export function under(up: Path, ...steps: (string | number)[]): Path {
  return steps.reduce<Path>((path, step) => ({ up: path, step }), up)
}

function pointerOf({ up, step }: Path): string {
  return up === undefined ? String(step) : pointerOf(up) + pointerStep(step)
}

export interface Inspection {
  root: JsonValue
  work: Work
  patterns: SchemaPatterns
  /** Absent where only the answer is wanted. */
  issues: SchemaIssue[] | undefined
  /** Places of the schema that were left out. */
  unchecked: Set<string>
  depth: number
  check(schema: JsonValue, value: JsonValue, at: Place, inspection: Inspection): Fit
}

/** More help nobody. */
const MAX_ISSUES = 20
const MAX_UNCHECKED = 20

/** No beats unknown, and unknown beats yes. */
export function join(one: Fit, other: Fit): Fit {
  if (one === 'no' || other === 'no') return 'no'
  return one === 'unknown' ? one : other
}

export function fault({ issues }: Inspection, at: Place, say: () => string): 'no' {
  if (issues !== undefined && issues.length < MAX_ISSUES) {
    issues.push({ pointer: pointerOf(at.value), message: say() })
  }
  return 'no'
}

export function leaveOut({ unchecked, work }: Inspection, place: Path): 'unknown' {
  if (unchecked.size < MAX_UNCHECKED) {
    const pointer = pointerOf(place)
    // The same place may come up for every entry of a list, and its names may be long.
    work.spend(pointer.length / 4)
    unchecked.add(pointer)
  }
  return 'unknown'
}

export function unreadable(because: string, at: Place): never {
  const place = pointerOf(at.schema)
  throw new UnreadableSchema(`${because} (at ${place === '' ? 'its top' : place.slice(0, 200)})`)
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a keyword that must be a number. */
export function numberOf(schema: JsonObject, keyword: string, at: Place): number | undefined {
  const value = schema[keyword]
  if (value === undefined || typeof value === 'number') return value
  return unreadable(`${keyword} must be a number`, at)
}

/** The two keywords that say how many of something there may be. */
export function checkCount(
  schema: JsonObject,
  [least, most]: readonly [least: string, most: string],
  count: number,
  of: string,
  at: Place,
  inspection: Inspection,
): Fit {
  const min = numberOf(schema, least, at)
  const max = numberOf(schema, most, at)
  let fit: Fit = 'yes'
  if (min !== undefined && count < min) fit = fault(inspection, at, () => `must have at least ${min} ${of}`)
  if (max !== undefined && count > max) fit = fault(inspection, at, () => `must have at most ${max} ${of}`)
  return fit
}
