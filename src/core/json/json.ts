/**
 * JSON values and their one canonical form (RFC 8785), on which digests are made (P3).
 *
 * What has no faithful canonical form is refused rather than repaired: a repaired value would be approved as
 * one thing and run as another. The single leniency is that a property whose value is `undefined` counts as
 * absent, as it does in every JSON serializer; the tool is handed a copy parsed from the canonical text, so
 * what was shown and what runs still agree. For the same reason every property is read exactly once.
 */

import { BanksmanError } from '../errors.ts'
import { pointerStep } from './pointer-step.ts'

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/** Deeper than any real tool's arguments, and far from where recursion could overflow the stack. */
export const MAX_DEPTH = 100

/** Where the value will stand in a larger text, so that the whole keeps to the bounds. */
interface Placement {
  /** The JSON pointer of the value, for messages. */
  at?: string
  /** How many levels are around it. */
  depth?: number
  /**
   * Give up with `too_large` once the text is about to be longer. Without it an object that refers to one
   * child twice, which does so in turn, and so on, is a text of 2^100 characters.
   */
  maxLength?: number
  /** The same for how many values there are in it, with lists, objects and what is in them counted each. */
  maxValues?: number
}

export function canonicalize(value: unknown, placement?: Placement): string {
  const copy = sortedCopy(value, begin(placement))
  if (copy === UNSORTABLE) return write(value, begin(placement))
  const text = JSON.stringify(copy)
  if (placement?.maxLength !== undefined && text.length > placement.maxLength) tooLarge(begin(placement))
  return text
}

function begin(placement: Placement | undefined): CanonicalWriteState {
  return {
    at: placement?.at ?? '',
    trail: [],
    maxDepth: MAX_DEPTH - (placement?.depth ?? 0),
    maxLength: placement?.maxLength ?? Number.POSITIVE_INFINITY,
    length: 0,
    maxValues: placement?.maxValues ?? Number.POSITIVE_INFINITY,
    values: 0,
  }
}

interface CanonicalWriteState {
  readonly at: string
  /** The keys and indexes on the way to the value that is being written. */
  readonly trail: (string | number)[]
  readonly maxDepth: number
  readonly maxLength: number
  length: number
  readonly maxValues: number
  values: number
}

/** JavaScript orders such keys by itself: `10` after `9`, where RFC 8785 has it before. */
const UNSORTABLE = Symbol('unsortable')

/**
 * The same value with its keys in order, so that the engine's own serializer, several times faster than one of ours,
 * writes the canonical form. It checks what `write` checks, in the same order and with the same words.
 */
function sortedCopy(value: unknown, writing: CanonicalWriteState): unknown {
  countValue(writing)
  switch (typeof value) {
    case 'string':
      checkString(value, writing)
      count(value.length + 2, writing)
      return value
    case 'number':
      if (!Number.isFinite(value)) refuse(writing, `${value} is not a JSON number`)
      count(1, writing)
      return value
    case 'boolean':
      count(4, writing)
      return value
    case 'object':
      if (value === null) {
        count(4, writing)
        return value
      }
      if (writing.trail.length >= writing.maxDepth) refuse(writing, `nested deeper than ${MAX_DEPTH} levels`)
      count(0, writing)
      return Array.isArray(value) ? copyArray(value, writing) : copyObject(value, writing)
    case 'undefined':
      return refuse(writing, 'undefined is not JSON')
    default:
      return refuse(writing, `a ${typeof value} is not JSON`)
  }
}

function copyArray(value: unknown[], writing: CanonicalWriteState): unknown[] | typeof UNSORTABLE {
  const copy: unknown[] = []
  for (let index = 0; index < value.length; index++) {
    writing.trail.push(index)
    const member = sortedCopy(value[index], writing)
    if (member === UNSORTABLE) return UNSORTABLE
    copy.push(member)
    writing.trail.pop()
  }
  return copy
}

function copyObject(value: object, writing: CanonicalWriteState): object | typeof UNSORTABLE {
  checkPlain(value, writing)
  const keys = Object.keys(value).sort()
  const copy: Record<string, unknown> = {}
  for (const key of keys) {
    const first = key.charCodeAt(0)
    if ((first >= 0x30 && first <= 0x39) || key === '__proto__') return UNSORTABLE
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    writing.trail.push(key)
    checkString(key, writing)
    count(key.length + 2, writing)
    const inner = sortedCopy(member, writing)
    if (inner === UNSORTABLE) return UNSORTABLE
    copy[key] = inner
    writing.trail.pop()
  }
  return copy
}

function write(value: unknown, writing: CanonicalWriteState): string {
  countValue(writing)
  switch (typeof value) {
    case 'string':
      return writeString(value, writing)
    case 'number':
      if (!Number.isFinite(value)) refuse(writing, `${value} is not a JSON number`)
      return counted(JSON.stringify(value), writing)
    case 'boolean':
      return counted(value ? 'true' : 'false', writing)
    case 'object':
      if (value === null) return counted('null', writing)
      if (writing.trail.length >= writing.maxDepth) refuse(writing, `nested deeper than ${MAX_DEPTH} levels`)
      counted('', writing)
      return Array.isArray(value) ? writeArray(value, writing) : writeObject(value, writing)
    case 'undefined':
      return refuse(writing, 'undefined is not JSON')
    default:
      return refuse(writing, `a ${typeof value} is not JSON`)
  }
}

function writeArray(value: unknown[], writing: CanonicalWriteState): string {
  let out = '['
  for (let index = 0; index < value.length; index++) {
    if (index > 0) out += ','
    writing.trail.push(index)
    out += write(value[index], writing)
    writing.trail.pop()
  }
  return `${out}]`
}

function writeObject(value: object, writing: CanonicalWriteState): string {
  checkPlain(value, writing)
  // Sorting by UTF-16 code units is what RFC 8785 asks for and what `sort` does without a comparator.
  const keys = Object.keys(value).sort()
  let out = '{'
  for (const key of keys) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    if (out.length > 1) out += ','
    writing.trail.push(key)
    out += `${writeString(key, writing)}:`
    out += write(member, writing)
    writing.trail.pop()
  }
  return `${out}}`
}

function writeString(value: string, writing: CanonicalWriteState): string {
  checkString(value, writing)
  return counted(JSON.stringify(value), writing)
}

function checkPlain(value: object, writing: CanonicalWriteState): void {
  const prototype = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return
  // An object of another realm (a vm context, a worker) is plain too: its prototype has no prototype.
  if (Object.getPrototypeOf(prototype) !== null)
    refuse(writing, `${nameOfClass(prototype)} is not plain JSON`)
}

function checkString(value: string, writing: CanonicalWriteState): void {
  if (!value.isWellFormed()) refuse(writing, 'the text has a lone surrogate, which no UTF-8 can carry')
}

function counted(text: string, writing: CanonicalWriteState): string {
  count(text.length, writing)
  return text
}

function count(length: number, writing: CanonicalWriteState): void {
  // One more for the comma, colon or bracket beside it. This never counts more than there will be, except the
  // one beside a lone string or number.
  writing.length += length + 1
  if (writing.length > writing.maxLength + 1) tooLarge(writing)
}

function countValue(writing: CanonicalWriteState): void {
  if (++writing.values <= writing.maxValues) return
  throw new BanksmanError(
    'too_large',
    `the value${writing.at === '' ? '' : ` at ${writing.at}`} has more than ${writing.maxValues} values in it, which is the limit. Put large content in a file that the tool reads`,
    { limit: writing.maxValues },
  )
}

function tooLarge(writing: CanonicalWriteState): never {
  throw new BanksmanError(
    'too_large',
    `${subject(writing)} makes the text longer than ${writing.maxLength} characters, which is the limit`,
    { limit: writing.maxLength },
  )
}

function nameOfClass(prototype: object): string {
  const made = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  const name = typeof made === 'function' ? Object.getOwnPropertyDescriptor(made, 'name')?.value : undefined
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'a class instance'
}

function refuse(writing: CanonicalWriteState, why: string): never {
  throw new BanksmanError('not_canonical', `${subject(writing)}: ${why}`, { pointer: pointerOf(writing) })
}

function subject(writing: CanonicalWriteState): string {
  const pointer = pointerOf(writing)
  return pointer === '' ? 'the value' : `the value at ${pointer}`
}

/** Keys come from outside and may be megabytes long: a message carries only the beginning. */
function pointerOf(writing: CanonicalWriteState): string {
  const pointer = writing.at + writing.trail.map((key) => pointerStep(shorten(key))).join('')
  return pointer.length > 1000 ? `${pointer.slice(0, 1000).toWellFormed()}…` : pointer.toWellFormed()
}

function shorten(key: string | number): string | number {
  return typeof key === 'string' && key.length > 100 ? `${key.slice(0, 100)}…` : key
}
