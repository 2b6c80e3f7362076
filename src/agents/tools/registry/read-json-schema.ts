/**
 * Reads the JSON Schema of a tool that a hook offers. zod does the checking; this makes sure that it checks all that the
 * schema says: where zod would quietly pass something over, the schema is completed, and where that can't be done, refused.
 *
 * Patterns are kept from zod, which would run them on what a model wrote by an engine that may never come to an end. They
 * are checked afterwards, with RE2.
 */

import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { canonicalize, type JsonObject, type JsonValue } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { checkJson } from '../../../core/json/schema/check-json.ts'
import { SchemaPatterns } from '../../../core/json/schema/schema-patterns.ts'
import { sayInEnglish } from '../../../core/reasons/english.ts'

/** A tool as a hook offers it. */
export interface ProvidedTool {
  name: string
  description: string
  schema: JsonObject
}

/** Throws, in words, where the schema can't be checked in full. */
export function readJsonSchema(schema: JsonObject): { forModels: JsonObject; checks: z.ZodType } {
  if (!isObject(schema)) refuse('its schema must be an object', '')
  canonicalize(schema, { maxLength: 64 * 1024 })
  const { $schema: _, ...copy } = parseJson<JsonObject>(JSON.stringify(schema))
  const forModels: JsonObject = copy.type === undefined ? { ...copy, type: 'object' } : copy
  if (forModels.type !== 'object') refuse('its schema must have the type object', '')
  const patterns = new SchemaPatterns()
  const complete = completed(forModels, '', patterns)
  if (!isObject(complete)) refuse('its schema must be an object', '')
  const usesOldNames = complete.definitions !== undefined && complete.$defs === undefined
  const byZod = z.fromJSONSchema(complete as z.core.JSONSchema.JSONSchema, {
    defaultTarget: usesOldNames ? 'draft-7' : 'draft-2020-12',
    registry: z.registry(),
  })
  // References that lead nowhere come up only when they are followed.
  byZod.safeParse({})
  const checks =
    patterns.size === 0 ? byZod : byZod.superRefine((args, about) => checkAll(forModels, args, about))
  return { forModels, checks }
}

/** Once more and by ourselves, for the patterns. */
function checkAll(schema: JsonObject, args: unknown, about: z.RefinementCtx): void {
  const checked = checkJson(schema, args as JsonValue)
  if (checked.kind === 'unreadable') {
    about.addIssue({ code: 'custom', message: `can't be checked: ${checked.because}` })
    return
  }
  for (const { pointer, reason } of checked.issues) {
    const path = pointer.split('/').slice(1)
    const steps = path.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    about.addIssue({ code: 'custom', path: steps, message: sayInEnglish(reason) })
  }
}

/** zod knows these and does nothing with them, or does not know them. */
const UNCHECKED = ['dependencies', '$dynamicRef', '$recursiveRef', 'extends', 'disallow', 'divisibleBy']
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', '$comment', 'deprecated'])
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}
const ANY_TYPE = ['string', 'number', 'boolean', 'object', 'array', 'null']
const SCHEMA_KEYS = new Set(['items', 'additionalProperties', 'additionalItems', 'contains', 'propertyNames'])
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

function completed(schema: JsonValue, at: string, patterns: SchemaPatterns): JsonValue {
  if (!isObject(schema)) return schema
  for (const key of UNCHECKED) {
    if (Object.hasOwn(schema, key)) refuse(`${key} can't be checked`, at)
  }
  if (schema.$ref !== undefined) {
    const beside = Object.keys(schema).filter((key) => key !== '$ref' && !ANNOTATIONS.has(key))
    const [first] = beside.filter((key) => key !== '$defs' && key !== 'definitions')
    if (first !== undefined && at !== '') refuse(`${first} beside $ref can't be checked; use allOf`, at)
  }
  const out: [string, JsonValue][] = []
  for (const [key, value] of Object.entries(schema)) {
    // A default would let zod take a missing member for one that is there.
    if (key === 'default') continue
    const here = `${at}/${key}`
    if (key === 'pattern') {
      checkPattern(value, here, patterns)
      continue
    }
    if (key === 'patternProperties' && isObject(value)) {
      for (const pattern of Object.keys(value)) checkPattern(pattern, here, patterns)
      continue
    }
    // Which members are additional is a question of the patterns.
    if (key === 'additionalProperties' && schema.patternProperties !== undefined) continue
    if (SCHEMA_MAPS.has(key) && isObject(value)) {
      out.push([key, mapped(value, (member, name) => completed(member, `${here}/${name}`, patterns))])
    } else if (SCHEMA_LISTS.has(key) && Array.isArray(value)) {
      out.push([key, value.map((member, index) => completed(member, `${here}/${index}`, patterns))])
    } else {
      out.push([key, SCHEMA_KEYS.has(key) ? completed(value, here, patterns) : value])
    }
  }
  const { type } = typed(schema, at)
  return requiringAll({ ...Object.fromEntries(out), ...defined({ type }) })
}

function checkPattern(pattern: JsonValue, at: string, patterns: SchemaPatterns): void {
  if (typeof pattern !== 'string') refuse('a pattern must be a text', at)
  if (patterns.read(pattern) !== undefined) return
  refuse(
    `the pattern ${JSON.stringify(pattern.slice(0, 200))} can't be checked: patterns are RE2, without look-around and ` +
      'back-references, and all of a schema together have at most 1000 characters',
    at,
  )
}

/** zod takes anything where there is no type, whatever else is said. */
function typed(schema: JsonObject, at: string): JsonObject {
  if (schema.type !== undefined || schema.enum !== undefined || schema.const !== undefined) return schema
  const types = Object.keys(KEYWORDS_OF).filter((type) =>
    KEYWORDS_OF[type]?.some((keyword) => schema[keyword] !== undefined),
  )
  const [type, another] = types
  if (type === undefined) return schema
  if (another !== undefined) refuse(`it has no type and speaks of both ${type} and ${another}`, at)
  return { ...schema, type }
}

/** zod only looks for required members that are described, and takes nothing for anything. */
function requiringAll(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.required)) return schema
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = schema.required.filter((name) => typeof name === 'string')
  const described = required.map((name): [string, JsonValue] => {
    const member = Object.hasOwn(properties, name) ? properties[name] : {}
    const isOpen =
      member === true || (isObject(member) && Object.keys(member).every((key) => ANNOTATIONS.has(key)))
    return [name, isOpen ? { type: ANY_TYPE } : (member ?? {})]
  })
  return { ...schema, properties: Object.fromEntries([...Object.entries(properties), ...described]) }
}

function mapped(value: JsonObject, change: (member: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(member, name)]))
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(because: string, at: string): never {
  throw new BanksmanError(
    'invalid_configuration',
    at === '' ? because : `${because} (at ${at.slice(0, 200)})`,
  )
}
