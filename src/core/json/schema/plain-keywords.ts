/** Keywords of texts and numbers, types, and when two JSON values are the same. */
import type { Reason } from '../../reasons/reason.ts'
import { type CodeWith, reasonOf } from '../../reasons/reason-of.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import { FORMATS } from './formats.ts'
import {
  type CheckKeywords,
  checkCount,
  fault,
  findPattern,
  isObject,
  join,
  leaveOut,
  type SchemaFit,
  under,
  unreadable,
} from './schema-inspection.ts'
import type { SchemaWork } from './schema-work.ts'

const CHARACTERS = { least: 'minLength', most: 'maxLength', of: 'characters' } as const

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'any'] as const

type JsonType = (typeof TYPES)[number]

export const checkType: CheckKeywords = ({ type }, value, at, inspection) => {
  if (type === undefined) return 'yes'
  const types = Array.isArray(type) ? type : [type]
  inspection.work.spend(types.length)
  for (const one of types) {
    if (!(TYPES as readonly JsonValue[]).includes(one))
      return unreadable('type must be one that JSON has', at)
  }
  if (types.some((one) => isOfType(value, one as string))) return 'yes'
  return fault(inspection, at, () => typeReason(types as JsonType[]))
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'any':
      return true
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function typeReason(types: readonly JsonType[]): Reason {
  const [type, other, ...rest] = types.map((one) => reasonOf(`type.${one}`))
  if (type === undefined || other === undefined) return reasonOf('schema.type', { type: type ?? [] })
  if (rest.length === 0) return reasonOf('schema.two-types', { type, other })
  return reasonOf('schema.types', { types: [type, other, ...rest] })
}

export const checkText: CheckKeywords<string> = (schema, value, at, inspection) => {
  let fit: SchemaFit = 'yes'
  // Counting takes time, so nothing is counted where no keyword asks for it.
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    inspection.work.spend(value.length / 8)
    fit = checkCount(schema, CHARACTERS, lengthOf(value), at, inspection)
  }
  if (schema.pattern !== undefined) fit = join(fit, checkPattern(schema, value, at, inspection))
  const format = FORMATS.get(typeof schema.format === 'string' ? schema.format : '')
  if (format === undefined) return fit
  inspection.work.spend(FORMAT_STEPS + value.length / 4)
  if (value.length > MAX_FORMATTED)
    return fault(inspection, at, () => reasonOf('schema.format-long', { format: String(schema.format) }))
  return format(value)
    ? fit
    : fault(inspection, at, () => reasonOf('schema.format', { format: String(schema.format) }))
}

const checkPattern: CheckKeywords<string> = ({ pattern }, value, at, inspection) => {
  if (typeof pattern !== 'string') return unreadable('pattern must be a text', at)
  const found = findPattern(pattern, value, inspection)
  if (found === undefined) return leaveOut(inspection, under(at.schema, 'pattern'))
  return found
    ? 'yes'
    : fault(inspection, at, () => reasonOf('schema.pattern', { pattern: pattern.slice(0, 200) }))
}

/** Code points, as JSON Schema counts. */
function lengthOf(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; length++) at += text.codePointAt(at)! > 0xffff ? 2 : 1
  return length
}

/** Longer than any of them; so none of their expressions is ever run on more. */
const MAX_FORMATTED = 8192
const FORMAT_STEPS = 50

export const checkNumber: CheckKeywords<number> = (schema, value, at, inspection) => {
  const { exclusiveMinimum, exclusiveMaximum } = schema
  // In draft 4 these say that the limit beside them is not included.
  const above = exclusiveMinimum === true ? schema.minimum : exclusiveMinimum
  const below = exclusiveMaximum === true ? schema.maximum : exclusiveMaximum
  const limits: [
    isWrong: (limit: number) => boolean,
    limit: JsonValue | undefined,
    code: CodeWith<'limit'>,
  ][] = [
    [(limit) => value < limit, schema.minimum, 'schema.minimum'],
    [(limit) => value > limit, schema.maximum, 'schema.maximum'],
    [(limit) => value <= limit, above === false ? undefined : above, 'schema.above'],
    [(limit) => value >= limit, below === false ? undefined : below, 'schema.below'],
    [(step) => !isMultiple(value, step), schema.multipleOf, 'schema.multiple'],
  ]
  let fit: SchemaFit = 'yes'
  for (const [isWrong, limit, code] of limits) {
    if (limit === undefined) continue
    if (typeof limit !== 'number') return unreadable('limits of a number must be numbers', at)
    if (isWrong(limit)) fit = fault(inspection, at, () => reasonOf(code, { limit }))
  }
  return fit
}

/** 0.3 is a multiple of 0.1, which is not how processors divide. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 4
}

export function isSame(one: JsonValue, other: JsonValue, work: SchemaWork): boolean {
  // Long texts that are alike up to their ends are compared to their ends.
  if (typeof one === 'string' && typeof other === 'string')
    work.spend(Math.min(one.length, other.length) / 32)
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  work.spend(2 * keys.length + 1)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(
    (key) =>
      Object.hasOwn(other, key) && isSame((one as JsonObject)[key]!, (other as JsonObject)[key]!, work),
  )
}
