/**
 * What form the arguments of a tool take: fields made from the tool's JSON Schema, or from the arguments themselves where
 * it has none. Whatever does not fit a field of its own, because the schema says more than a field can or because a value
 * could not be seen in one, is edited as JSON. So every value has a place, and none is changed by being shown.
 */
import type { JsonObject, JsonValue } from '../../../../src/client/index.ts'
import { childPointer } from '../../../../src/display/pointer.ts'
import { isPlainText } from '../editable-json.ts'
import { isSameJson } from './json-at.ts'
import { settleSchema, typeOf } from './schema.ts'

export type FieldKind =
  | 'line'
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'list'
  | 'group'
  | 'mask'
  | 'json'

export interface FieldPlan {
  pointer: string
  key: string
  kind: FieldKind
  isRequired: boolean
  /** False for what the tool knows and the call does not give. */
  isPresent: boolean
  description?: string
  /** What it begins with when it is added. */
  fresh: JsonValue
  /** `choice` */
  choices: JsonValue[]
  /** The members of a `group`, the items of a `list`. */
  fields: FieldPlan[]
  /** `list`: what a new item begins with. */
  freshItem: JsonValue
}

interface Planning {
  root: JsonObject
  /** Where values are masked. */
  masked: ReadonlySet<string>
  depth: number
}

/** More of them in one place are no form that anybody would fill in. */
const MOST_FIELDS = 60
const MOST_DEPTH = 5
/** Longer than what a line of a phone shows two or three times. */
const LONG_LINE = 80
const LONG_NAMES =
  /command|content|text|body|message|note|comment|reason|prompt|query|code|script|string|description|sql/i

export function planFields(
  value: JsonObject,
  schema: JsonObject | undefined,
  masked: ReadonlySet<string> = new Set(),
): FieldPlan[] {
  const root = schema ?? {}
  return planMembers(value, settleSchema(root, root), '', { root, masked, depth: 0 })
}

function planMembers(
  value: JsonObject,
  schema: JsonObject | undefined,
  pointer: string,
  planning: Planning,
): FieldPlan[] {
  const properties = objectOf(schema?.properties)
  const required = Array.isArray(schema?.required) ? schema.required : []
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(value)])]
  return keys.map((key) => {
    const own = Object.hasOwn(value, key) ? value[key] : undefined
    const inner = Object.hasOwn(properties, key) ? objectOf(properties[key]) : undefined
    return planOne(key, own, inner, childPointer(pointer, key), planning, required.includes(key))
  })
}

function planOne(
  key: string,
  value: JsonValue | undefined,
  given: JsonObject | undefined,
  pointer: string,
  planning: Planning,
  isRequired = false,
): FieldPlan {
  const schema = given === undefined ? undefined : settleSchema(given, planning.root)
  const description = given?.description ?? schema?.description
  const plan: FieldPlan = {
    pointer,
    key,
    kind: 'json',
    isRequired,
    isPresent: value !== undefined,
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    fresh: null,
    choices: [],
    fields: [],
    freshItem: '',
  }
  if (planning.masked.has(pointer)) return { ...plan, kind: 'mask', fresh: '' }
  // Nobody said what this one is: then it is what it is.
  if (given === undefined) return planValue(plan, value, {}, typeOf(value), planning)
  if (schema === undefined) return plan
  const choices = choicesOf(schema)
  if (choices !== undefined) {
    const isOne = value === undefined || choices.some((choice) => isSameJson(choice, value))
    const fresh = isSameable(schema.default, choices) ? schema.default : choices[0]!
    return isOne ? { ...plan, kind: 'choice', choices, fresh } : { ...plan, fresh }
  }
  const said = typeof schema.type === 'string' ? schema.type : undefined
  const planned = planValue(plan, value, schema, said ?? typeOf(value), planning)
  return schema.default === undefined ? planned : { ...planned, fresh: schema.default }
}

function planValue(
  plan: FieldPlan,
  value: JsonValue | undefined,
  schema: JsonObject,
  type: string,
  planning: Planning,
): FieldPlan {
  switch (type) {
    case 'string':
      return value === undefined || (typeof value === 'string' && isPlainText(value))
        ? { ...plan, kind: isLong(plan.key, value, schema) ? 'text' : 'line', fresh: '' }
        : { ...plan, fresh: '' }
    case 'number':
    case 'integer':
      return value === undefined || typeof value === 'number'
        ? { ...plan, kind: type, fresh: 0 }
        : { ...plan, fresh: 0 }
    case 'boolean':
      return value === undefined || typeof value === 'boolean'
        ? { ...plan, kind: 'boolean', fresh: false }
        : { ...plan, fresh: false }
    case 'array':
      return planList({ ...plan, fresh: [] }, value ?? [], schema, planning)
    case 'object':
      return planGroup({ ...plan, fresh: {} }, value ?? {}, schema, planning)
    default:
      return plan
  }
}

function planGroup(plan: FieldPlan, value: JsonValue, schema: JsonObject, planning: Planning): FieldPlan {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plan
  if (planning.depth >= MOST_DEPTH) return plan
  const deeper = { ...planning, depth: planning.depth + 1 }
  const fields = planMembers(value, schema, plan.pointer, deeper)
  return fields.length === 0 || fields.length > MOST_FIELDS ? plan : { ...plan, kind: 'group', fields }
}

/** Of texts, numbers, truths or choices, one after another. */
function planList(plan: FieldPlan, value: JsonValue, schema: JsonObject, planning: Planning): FieldPlan {
  if (!Array.isArray(value) || value.length > MOST_FIELDS) return plan
  const given = typeof schema.items === 'object' ? objectOf(schema.items) : undefined
  // Without a word on its items, a list is of what stands in it; an empty one could be of anything.
  if (given === undefined && (value.length === 0 || new Set(value.map(typeOf)).size > 1)) return plan
  const itemAt = (item: JsonValue | undefined, index: number) =>
    planOne(plan.key, item, given, childPointer(plan.pointer, index), planning, true)
  const fresh = itemAt(given === undefined ? value[0] : undefined, value.length)
  const fields = value.map(itemAt)
  const isSimple = [fresh, ...fields].every(
    ({ kind }) => kind !== 'json' && kind !== 'list' && kind !== 'group',
  )
  return isSimple ? { ...plan, kind: 'list', fields, freshItem: fresh.fresh } : plan
}

function isLong(key: string, value: JsonValue | undefined, schema: JsonObject): boolean {
  if (typeof value === 'string' && (value.length > LONG_LINE || value.includes('\n'))) return true
  return LONG_NAMES.test(key) && schema.format === undefined
}

function choicesOf({ enum: values, const: only }: JsonObject): JsonValue[] | undefined {
  if (only !== undefined) return [only]
  if (!Array.isArray(values) || values.length === 0 || values.length > MOST_FIELDS) return undefined
  return values.every((value) => typeof value !== 'object' || value === null) ? values : undefined
}

function isSameable(value: JsonValue | undefined, choices: JsonValue[]): value is JsonValue {
  return value !== undefined && choices.some((choice) => isSameJson(choice, value))
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
