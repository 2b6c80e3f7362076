/**
 * JSON values and their one canonical form (RFC 8785), on which digests are made (P3).
 *
 * What has no faithful canonical form is refused rather than repaired: a repaired value would be approved as
 * one thing and run as another. The single leniency is that a property whose value is `undefined` counts as
 * absent, as it does in every JSON serializer; the tool is handed a copy parsed from the canonical text, so
 * what was shown and what runs still agree.
 */
import { BanksmanError } from './errors.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** Deeper than any real tool's arguments, and far from where recursion could overflow the stack. */
export const MAX_DEPTH = 100

export function canonicalize(value: unknown): string {
  return write(value, '', 0)
}

/** Parses text that `canonicalize` wrote. Text from anywhere else goes through `parseStrictJson`. */
export function parseCanonical<T = JsonValue>(text: string): T {
  return JSON.parse(text) as T
}

function write(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path)
    case 'number':
      if (!Number.isFinite(value)) refuse(path, `${value} is not a JSON number`)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (depth >= MAX_DEPTH) refuse(path, `nested deeper than ${MAX_DEPTH} levels`)
      return Array.isArray(value) ? writeArray(value, path, depth) : writeObject(value, path, depth)
    default:
      return refuse(path, `a ${typeof value} is not JSON`)
  }
}

function writeArray(value: unknown[], path: string, depth: number): string {
  let out = '['
  for (let index = 0; index < value.length; index++) {
    if (index > 0) out += ','
    out += write(value[index], `${path}/${index}`, depth + 1)
  }
  return `${out}]`
}

function writeObject(value: object, path: string, depth: number): string {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    // An object of another realm (a vm context, a worker) is plain too: its prototype has no prototype.
    if (Object.getPrototypeOf(prototype) !== null) {
      refuse(path, `a ${value.constructor?.name || 'class instance'} is not plain JSON`)
    }
  }
  // Sorting by UTF-16 code units is what RFC 8785 asks for and what `sort` does without a comparator.
  const keys = Object.keys(value).sort()
  let out = '{'
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    if (out.length > 1) out += ','
    out += `${writeString(key, path)}:${write(member, `${path}/${key}`, depth + 1)}`
  }
  return `${out}}`
}

function writeString(value: string, path: string): string {
  if (!value.isWellFormed()) refuse(path, 'the text has a lone surrogate, which no UTF-8 can carry')
  return JSON.stringify(value)
}

function refuse(path: string, why: string): never {
  throw new BanksmanError('not_canonical', `${path === '' ? 'the value' : `the value at ${path}`}: ${why}`)
}
