/** Changing one place of a JSON value without touching the others: what is not named stays the same object. */
import type { JsonObject, JsonValue } from '../../../../../src/client/index.ts'

/** Where there is nothing on the way, objects are made. A place in a list that is not there yet goes to its end. */
export function withAt(root: JsonObject, pointer: string, value: JsonValue): JsonObject {
  return place(root, stepsOf(pointer), value) as JsonObject
}

/** What is not there need not be taken away. */
export function withoutAt(root: JsonObject, pointer: string): JsonObject {
  return place(root, stepsOf(pointer), undefined) as JsonObject
}

/** The order of an object's members makes no difference, as it makes none to the digest. */
export function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSameJson(item, other[index]))
  }
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function place(
  root: JsonValue | undefined,
  [step, ...rest]: string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return value
  if (Array.isArray(root)) return placeInList(root, Number(step), rest, value)
  const members = typeof root === 'object' && root !== null ? Object.entries(root) : []
  const known = members.find(([key]) => key === step)
  if (known === undefined && value === undefined) return root
  const next = place(known?.[1], rest, value)
  const entries = known === undefined ? [...members, [step, next] as const] : members
  // `fromEntries` defines members, so that one named `__proto__` stays a member.
  return Object.fromEntries(
    entries
      .map(([key, member]) => [key, key === step ? next : member] as const)
      .filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  )
}

function placeInList(
  list: readonly JsonValue[],
  index: number,
  rest: string[],
  value: JsonValue | undefined,
): JsonValue[] {
  const next = place(list[index], rest, value)
  if (index >= list.length) return next === undefined ? [...list] : [...list, next]
  return list.flatMap((item, at) => (at !== index ? [item] : next === undefined ? [] : [next]))
}
