/**
 * How much work a form may be. Arguments and schemas come from outside, and may be made to keep a page busy for hours: what
 * would be more than this is edited as JSON, where its size costs nothing.
 */
import type { JsonValue } from '../../../../../src/client/index.ts'

/** What is left to spend, for the whole of a form. It is spent as the form is made. */
export interface FormBudget {
  fields: number
  /** Places of the schema and of the arguments that are looked at. */
  nodes: number
}

export const MOST_FIELDS = 200
const MOST_NODES = 2000
const MOST_CHARACTERS = 100_000

export function newFormBudget(): FormBudget {
  return { fields: MOST_FIELDS, nodes: MOST_NODES }
}

/** False, and nothing is spent, where there is not enough left. */
export function spend(budget: FormBudget, what: keyof FormBudget, count = 1): boolean {
  if (budget[what] < count) return false
  budget[what] -= count
  return true
}

/** Whether there can be a form for these arguments at all. */
export function hasForm(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isWithin(value, MOST_NODES, MOST_CHARACTERS) && Object.keys(value).length <= MOST_FIELDS
}

/** Whether a value has at most so many places and so many characters. It looks no further than that. */
export function isWithin(root: JsonValue, nodes: number, characters: number): boolean {
  const waiting: JsonValue[] = [root]
  let nodesLeft = nodes - 1
  let charactersLeft = characters
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === 'string') charactersLeft -= value.length
    if (typeof value === 'object' && value !== null) {
      const keys = Array.isArray(value) ? undefined : Object.keys(value)
      nodesLeft -= keys?.length ?? (value as JsonValue[]).length
      if (nodesLeft < 0) return false
      for (const key of keys ?? []) charactersLeft -= key.length
      for (const member of Object.values(value)) waiting.push(member)
    }
    if (charactersLeft < 0) return false
  }
  return true
}
