/** Keywords of objects. Names come from outside: only an object's own ones count. */
import { reasonOf } from '../../reasons/reason-of.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import {
  type CheckKeywords,
  checkCount,
  fault,
  findPattern,
  isObject,
  join,
  leaveOut,
  type SchemaFit,
  type SchemaInspection,
  type SchemaPlace,
  under,
  unreadable,
} from './schema-inspection.ts'

const MEMBERS = { least: 'minProperties', most: 'maxProperties', of: 'members' } as const

export const checkObject: CheckKeywords<JsonObject> = (schema, value, at, inspection) => {
  const names = Object.keys(value)
  inspection.work.spend(names.length)
  let fit = checkCount(schema, MEMBERS, names.length, at, inspection)
  fit = join(fit, checkRequired(namesIn(schema.required, 'required', at), value, at, inspection))
  fit = join(fit, checkMembers(schema, value, names, at, inspection))
  if (schema.propertyNames !== undefined) {
    for (const name of names) {
      const place = { schema: under(at.schema, 'propertyNames'), value: under(at.value, name) }
      fit = join(fit, inspection.check(schema.propertyNames, name, place, inspection))
    }
  }
  return join(fit, checkDependent(schema, value, at, inspection))
}

function checkRequired(
  required: string[],
  value: JsonObject,
  at: SchemaPlace,
  inspection: SchemaInspection,
): SchemaFit {
  inspection.work.spend(required.length)
  let fit: SchemaFit = 'yes'
  for (const name of required) {
    if (Object.hasOwn(value, name)) continue
    fit = fault(inspection, { ...at, value: under(at.value, name) }, () => reasonOf('schema.missing'))
  }
  return fit
}

function checkMembers(
  schema: JsonObject,
  value: JsonObject,
  names: string[],
  at: SchemaPlace,
  inspection: SchemaInspection,
): SchemaFit {
  const properties = mapIn(schema, 'properties', at)
  const patterns = entriesIn(schema, 'patternProperties', at, inspection)
  const { additionalProperties } = schema
  let fit: SchemaFit = 'yes'
  for (const name of names) {
    const member = value[name]!
    const here = under(at.value, name)
    let described: SchemaFit = 'no'
    const look = (part: JsonValue, ...steps: string[]) => {
      described = 'yes'
      const place = { schema: under(at.schema, ...steps), value: here }
      fit = join(fit, inspection.check(part, member, place, inspection))
    }
    if (Object.hasOwn(properties, name)) look(properties[name]!, 'properties', name)
    for (const [pattern, part] of patterns) {
      const found = findPattern(pattern, name, inspection)
      if (found === true) look(part, 'patternProperties', pattern)
      else if (found === undefined) {
        fit = join(fit, leaveOut(inspection, under(at.schema, 'patternProperties', pattern)))
        if (described === 'no') described = 'unknown'
      }
    }
    if (described === 'no' && additionalProperties !== undefined) {
      look(additionalProperties, 'additionalProperties')
    }
  }
  return fit
}

const checkDependent: CheckKeywords<JsonObject> = (schema, value, at, inspection) => {
  let fit: SchemaFit = 'yes'
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, part] of entriesIn(schema, keyword, at, inspection)) {
      if (!Object.hasOwn(value, name)) continue
      const isList = Array.isArray(part) && keyword !== 'dependentSchemas'
      const place = { ...at, schema: under(at.schema, keyword, name) }
      const found = isList
        ? checkRequired(namesIn(part, keyword, at), value, at, inspection)
        : inspection.check(part, value, place, inspection)
      fit = join(fit, found)
    }
  }
  return fit
}

/** They are listed again for every value, also where it is empty; each takes as long as several of the simplest steps. */
function entriesIn(
  schema: JsonObject,
  keyword: string,
  at: SchemaPlace,
  { work }: SchemaInspection,
): [name: string, part: JsonValue][] {
  const entries = Object.entries(mapIn(schema, keyword, at))
  work.spend(STEPS_AN_ENTRY * entries.length)
  return entries
}

const STEPS_AN_ENTRY = 5

function mapIn(schema: JsonObject, keyword: string, at: SchemaPlace): JsonObject {
  const map = schema[keyword]
  if (map === undefined) return {}
  return isObject(map) ? map : unreadable(`${keyword} must be an object`, at)
}

function namesIn(value: JsonValue | undefined, keyword: string, at: SchemaPlace): string[] {
  // In draft 3 and in OpenAPI a member says by `required: true` that it is required itself.
  if (value === undefined || typeof value === 'boolean') return []
  if (Array.isArray(value) && value.every((name) => typeof name === 'string')) return value
  return unreadable(`${keyword} must be a list of names`, at)
}
