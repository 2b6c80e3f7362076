/** What is wrong with a call's arguments, in words from which a model can make a right call. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { JsonObject, JsonValue } from '../../../core/json/json.ts'
import type { Tool } from '../tool.ts'

/** More than these help nobody: the next try shows the rest. */
const MAX_FAULTS = 8
const MAX_SHOWN = 100

/**
 * Undefined where they fit. With `mayAdjust` only the schema's verdict counts, not what it makes of the arguments: nobody
 * gets that anyway.
 */
export function argumentFaults(
  tool: Pick<Tool, 'name' | 'schema'>,
  forModels: JsonObject,
  args: JsonObject,
  { mayAdjust = false } = {},
): string | undefined {
  const polluting = pathOfKey(args, '__proto__')
  if (polluting !== undefined) return told(tool.name, [`${polluting} must not be there: no tool takes it`])
  try {
    // A check of one's own could change the object in place.
    const result = tool.schema.safeParse(structuredClone(args))
    if (!result.success)
      return told(
        tool.name,
        result.error.issues.map((issue) => fault(issue, forModels, args)),
      )
    if (mayAdjust || isDeepStrictEqual(result.data, args)) return undefined
    return told(tool.name, ['the tool’s schema changes what it should only check, so nothing can run'])
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error)
    return told(tool.name, [`they could not be checked (${shown(because)}), so nothing can run`])
  }
}

function told(name: string, faults: string[]): string {
  const [first, ...more] = faults
  if (more.length === 0) return `The arguments of ${name} are not right: ${first}.`
  const kept = faults.slice(0, MAX_FAULTS)
  const rest = faults.length - kept.length
  const lines = [...kept, ...(rest > 0 ? [`and ${rest} more`] : [])]
  return `The arguments of ${name} are not right:\n${lines.map((line) => `- ${line}`).join('\n')}`
}

function fault(issue: z.core.$ZodIssue, forModels: JsonObject, args: JsonObject): string {
  const at = issue.path.length === 0 ? 'the whole' : nameOf(issue.path)
  const value = valueAt(args, issue.path)
  const part = schemaAt(forModels, issue.path)
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.slice(0, MAX_FAULTS).map(shown).join(', ')
    const known = Object.keys(isObject(part?.properties) ? part.properties : {})
    const there = known.length === 0 ? 'it takes none' : `there are ${known.join(', ')}`
    const where = issue.path.length === 0 ? '' : ` of ${at}`
    return `${keys} ${issue.keys.length === 1 ? 'is no argument' : 'are no arguments'}${where}; ${there}`
  }
  const right = expectedOf(part)
  if (value === undefined) return `${at} is missing${right === undefined ? '' : `; it must be ${right}`}`
  const found = `found ${describe(value)}`
  switch (issue.code) {
    case 'invalid_type':
      return `${at} must be ${right ?? TYPE_WORDS[issue.expected] ?? issue.expected}; ${found}`
    case 'invalid_value':
      return `${at} must be ${right ?? issue.values.map((one) => shown(String(one))).join(' or ')}; ${found}`
    case 'too_small':
      return `${at} must ${bound(issue.origin, 'at least', issue.minimum, issue.inclusive)}; ${found}`
    case 'too_big':
      return `${at} must ${bound(issue.origin, 'at most', issue.maximum, issue.inclusive)}; ${found}`
    case 'invalid_union': {
      const ways = issue.errors.map((way) => way[0]?.message).filter((way) => way !== undefined)
      return `${at} must be ${right ?? `one of several forms (${ways.join(' | ')})`}; ${found}`
    }
    case 'custom':
      return issue.path.length === 0 ? issue.message : `${at}: ${issue.message}`
    default:
      return `${at}: ${issue.message}; ${found}`
  }
}

function bound(
  origin: string,
  words: string,
  limit: number | bigint,
  inclusive: boolean | undefined,
): string {
  const strictly = inclusive === false ? ', and not just that' : ''
  if (origin === 'string') return `have ${words} ${limit} characters${strictly}`
  if (origin === 'array' || origin === 'object' || origin === 'record')
    return `have ${words} ${limit} entries`
  return `be ${words} ${limit}${strictly}`
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function expectedOf(part: JsonObject | undefined): string | undefined {
  if (part === undefined) return undefined
  if (Array.isArray(part.enum)) return `one of ${part.enum.map((one) => JSON.stringify(one)).join(', ')}`
  if (part.const !== undefined) return JSON.stringify(part.const)
  const types = (Array.isArray(part.type) ? part.type : [part.type]).map((type) => TYPE_WORDS[String(type)])
  if (types.some((type) => type === undefined)) return undefined
  const inner = part.type === 'array' && isObject(part.items) ? expectedOf(part.items) : undefined
  return types.join(' or ') + (inner === undefined ? '' : ` (each ${inner})`)
}

function schemaAt(schema: JsonObject, path: readonly PropertyKey[]): JsonObject | undefined {
  let at: JsonValue | undefined = schema
  for (const step of path) {
    if (!isObject(at)) return undefined
    const members: JsonValue | undefined = at.properties
    if (typeof step === 'number') at = at.items
    else if (isObject(members) && Object.hasOwn(members, step)) at = members[String(step)]
    else at = at.additionalProperties
  }
  return isObject(at) ? at : undefined
}

function valueAt(args: JsonObject, path: readonly PropertyKey[]): JsonValue | undefined {
  let at: JsonValue | undefined = args
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as JsonObject)[String(step)]
  }
  return at
}

/** As in `questions[0].id`. */
function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const name = String(step)
      if (!/^[\w-]+$/.test(name)) return `[${shown(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

function pathOfKey(value: JsonValue, key: string, path: PropertyKey[] = []): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Object.hasOwn(value, key)) return nameOf([...path, key])
  for (const [name, member] of Object.entries(value)) {
    const found = pathOfKey(member, key, [...path, Array.isArray(value) ? Number(name) : name])
    if (found !== undefined) return found
  }
  return undefined
}

function describe(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? `the text ${shown(value)}` : `the ${typeof value} ${value}`
}

function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text)
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
