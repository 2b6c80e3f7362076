/**
 * How long the places of a call's texts are, by their JSON pointers. Masks, paths and fields are named by these wherever
 * a call is shown, so a few long names above thousands of texts would make gigabytes of a call of one megabyte.
 */
import type { JsonValue } from './json.ts'

/** Pointers of real calls are shorter, and are not counted. */
const ORDINARY = 256

/** The characters of all pointers to texts that are longer than ordinary ones. */
export function countLongPointerCharacters(value: JsonValue, above = 0): number {
  if (typeof value === 'string') return above > ORDINARY ? above : 0
  if (typeof value !== 'object' || value === null) return 0
  let sum = 0
  if (Array.isArray(value)) {
    for (const item of value) sum += countLongPointerCharacters(item, above + LIST_STEP)
    return sum
  }
  for (const key in value) sum += countLongPointerCharacters(value[key]!, above + 1 + key.length)
  return sum
}

/** A slash and a number. */
const LIST_STEP = 6
