/**
 * What form the arguments of a tool take: fields made from the tool's JSON Schema, or from the arguments themselves where
 * it has none. Whatever does not fit a field of its own, because the schema says more than a field can or because a value
 * could not be seen in one, is edited as JSON. So every value has a place, and none is changed by being shown.
 *
 * The work is bounded: one budget is spent on the whole, and what is left once it is gone is edited as JSON, too. What the
 * call does not give is only named, never looked into, so that a schema that refers to itself does not go on for ever.
 */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'
import { childPointer } from '../../../../../src/display/masks/json-pointer.ts'
import { leftOutMark, shorten } from '../../../../../src/display/text/shorten.ts'
import { isPlainText } from '../draft/editable-json.ts'
import { type FormBudget, MOST_FIELDS, newFormBudget, spend } from '../draft/form-limits.ts'
import { isSameJson } from '../draft/json-at.ts'
import { type ResolvedSchema, resolveSchema, typeOf } from './resolve-schema.ts'

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

/** The members of an object: those that are given, and some of those that could be. */
export interface FormPlan {
  fields: FieldPlan[]
  /** How many more the tool knows, which can only be given as JSON. */
  notOffered: number
}

export interface FieldPlan extends FormPlan {
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
  budget: FormBudget
  /** The names of the properties of each schema, which are listed once however often it is referred to. */
  names: Map<JsonObject, string[]>
}

/** More of them in one place are no form that anybody would fill in. */
const MOST_IN_GROUP = 60
const MOST_OFFERED = 20
const MOST_DEPTH = 5
/** What is further down in a list of properties or of what is required is not looked for. */
const MOST_LOOKED_AT = 200
const LONGEST_CHOICE = 200
const LONGEST_DESCRIPTION = 1000
/** Longer than what a line of a phone shows two or three times. */
const LONG_LINE = 80
const LONG_NAMES =
  /command|content|text|body|message|note|comment|reason|prompt|query|code|script|string|description|sql/i

/** Each argument that is given has a field here, whatever is left of the budget; `hasForm` says how many those can be. */
export function planForm(
  value: JsonObject,
  schema: JsonObject | undefined,
  masked: ReadonlySet<string> = new Set(),
): FormPlan {
  const root = schema ?? {}
  const planning: Planning = { root, masked, depth: 0, budget: newFormBudget(), names: new Map() }
  const members = listMembers(value, resolveSchema(root, root, planning.budget), planning)
  planning.budget.fields = Math.max(0, planning.budget.fields - members.keys.length)
  return planMembers(value, members, '', planning)
}

interface PlannedMembers {
  keys: string[]
  notOffered: number
  properties: JsonObject
  required: ReadonlySet<JsonValue>
}

/** Which members an object has and could have. Nothing is looked into yet. */
function listMembers(
  value: JsonObject,
  settled: ResolvedSchema | undefined,
  planning: Planning,
): PlannedMembers {
  const properties = objectOf(settled?.schema.properties)
  const names = planning.names.get(properties) ?? Object.keys(properties)
  planning.names.set(properties, names)
  const first = names.slice(0, MOST_LOOKED_AT)
  const near = spend(planning.budget, 'nodes', first.length) ? first : []
  const said = settled?.schema.required
  const required = new Set(Array.isArray(said) ? said.slice(0, MOST_LOOKED_AT) : [])
  const given = Object.keys(value)
  const missing = near.filter((key) => !Object.hasOwn(value, key))
  const neededFirst = [
    ...missing.filter((key) => required.has(key)),
    ...missing.filter((key) => !required.has(key)),
  ]
  const room = Math.max(0, Math.min(MOST_OFFERED, MOST_FIELDS - given.length))
  const offered = new Set(neededFirst.slice(0, room))
  const known = given.filter((key) => Object.hasOwn(properties, key)).length
  return {
    // As the tool lists them.
    keys: [...new Set([...near.filter((key) => Object.hasOwn(value, key) || offered.has(key)), ...given])],
    notOffered: names.length - known - offered.size,
    properties,
    required,
  }
}

function planMembers(
  value: JsonObject,
  members: PlannedMembers,
  pointer: string,
  planning: Planning,
): FormPlan {
  const { keys, notOffered, properties, required } = members
  const fields = keys.map((key) => {
    const member = {
      key,
      value: Object.hasOwn(value, key) ? value[key] : undefined,
      given: Object.hasOwn(properties, key) ? objectOf(properties[key]) : undefined,
      pointer: childPointer(pointer, key),
      isRequired: required.has(key),
    }
    return planOne(member, planning)
  })
  return { fields, notOffered }
}

interface PlannedMember {
  readonly key: string
  /** Undefined where it isn't there. */
  readonly value: JsonValue | undefined
  /** Its schema; undefined where the tool gives none. */
  readonly given: JsonObject | undefined
  readonly pointer: string
  readonly isRequired: boolean
}

function planOne({ key, value, given, pointer, isRequired }: PlannedMember, planning: Planning): FieldPlan {
  const { root, budget, masked } = planning
  const settled = given === undefined ? undefined : resolveSchema(given, root, budget)
  const plan: FieldPlan = {
    pointer,
    key,
    kind: 'json',
    isRequired,
    isPresent: value !== undefined,
    ...describe(given?.description ?? settled?.schema.description, budget),
    fresh: null,
    choices: [],
    fields: [],
    notOffered: 0,
    freshItem: '',
  }
  if (masked.has(pointer)) return { ...plan, kind: 'mask', fresh: '' }
  if (!spend(budget, 'nodes')) return plan
  // Nobody said what this one is: then it is what it is.
  if (given === undefined) return planValue(plan, value, {}, typeOf(value), planning)
  if (settled === undefined) return plan
  const { schema, type } = settled
  const choices = choicesOf(schema, budget)
  if (choices !== undefined) {
    const isOne = value === undefined || choices.some((choice) => isSameJson(choice, value))
    const fresh = isSameable(schema.default, choices) ? schema.default : choices[0]!
    return isOne ? { ...plan, kind: 'choice', choices, fresh } : { ...plan, fresh }
  }
  const planned = planValue(plan, value, schema, type ?? typeOf(value), planning)
  const fresh = schema.default === undefined ? schema.const : schema.default
  return fresh === undefined ? planned : { ...planned, fresh }
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
      return value === undefined
        ? { ...plan, kind: 'list', fresh: [] }
        : planList({ ...plan, fresh: [] }, value, schema, planning)
    case 'object':
      return value === undefined
        ? { ...plan, kind: 'group', fresh: {} }
        : planGroup({ ...plan, fresh: {} }, value, schema, planning)
    default:
      return plan
  }
}

function planGroup(plan: FieldPlan, value: JsonValue, schema: JsonObject, planning: Planning): FieldPlan {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return plan
  if (planning.depth >= MOST_DEPTH || Object.keys(value).length > MOST_IN_GROUP) return plan
  const members = listMembers(value, { schema, type: 'object' }, planning)
  const count = members.keys.length
  if (count === 0 || !spend(planning.budget, 'fields', count)) return plan
  const deeper = { ...planning, depth: planning.depth + 1 }
  return { ...plan, kind: 'group', ...planMembers(value, members, plan.pointer, deeper) }
}

/** Of texts, numbers, truths or choices, one after another. */
function planList(plan: FieldPlan, value: JsonValue, schema: JsonObject, planning: Planning): FieldPlan {
  if (!Array.isArray(value) || value.length > Math.min(MOST_IN_GROUP, planning.budget.fields)) return plan
  if (value.some((item) => typeof item === 'object')) return plan
  const given = typeof schema.items === 'object' ? objectOf(schema.items) : undefined
  // Without a word on its items, a list is of what stands in it; an empty one could be of anything.
  if (given === undefined && (value.length === 0 || new Set(value.map(typeOf)).size > 1)) return plan
  const itemAt = (item: JsonValue | undefined, index: number) => {
    const pointer = childPointer(plan.pointer, index)
    return planOne({ key: plan.key, value: item, given, pointer, isRequired: true }, planning)
  }
  const fresh = itemAt(given === undefined ? value[0] : undefined, value.length)
  const fields = value.map(itemAt)
  const isSimple = [fresh, ...fields].every(
    ({ kind }) => kind !== 'json' && kind !== 'list' && kind !== 'group',
  )
  if (!isSimple || !spend(planning.budget, 'fields', fields.length)) return plan
  return { ...plan, kind: 'list', fields, freshItem: fresh.fresh }
}

function isLong(key: string, value: JsonValue | undefined, schema: JsonObject): boolean {
  if (typeof value === 'string' && (value.length > LONG_LINE || value.includes('\n'))) return true
  return LONG_NAMES.test(key) && schema.format === undefined
}

function choicesOf({ enum: values, const: only }: JsonObject, budget: FormBudget): JsonValue[] | undefined {
  const choices = only === undefined ? values : [only]
  if (!Array.isArray(choices) || choices.length === 0 || choices.length > MOST_IN_GROUP) return undefined
  if (!spend(budget, 'nodes', choices.length)) return undefined
  return choices.every(isShort) ? choices : undefined
}

function isShort(value: JsonValue): boolean {
  return typeof value === 'string'
    ? value.length <= LONGEST_CHOICE
    : typeof value !== 'object' || value === null
}

/** The longer it is the more it costs, as one text may be referred to from everywhere. */
function describe(said: JsonValue | undefined, budget: FormBudget): Pick<FieldPlan, 'description'> {
  if (typeof said !== 'string' || said === '') return {}
  if (!spend(budget, 'nodes', Math.ceil(said.length / LONGEST_DESCRIPTION))) return {}
  const { head, tail, leftOut } = shorten(said, LONGEST_DESCRIPTION)
  return { description: leftOut === 0 ? said : `${head}${leftOutMark(leftOut)}${tail}` }
}

function isSameable(value: JsonValue | undefined, choices: JsonValue[]): value is JsonValue {
  return value !== undefined && choices.some((choice) => isSameJson(choice, value))
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
