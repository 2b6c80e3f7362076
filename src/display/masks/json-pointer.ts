/** JSON pointers (RFC 6901): how masks, fields and facts name a place in the arguments. */
import type { JsonValue } from '../../core/json/json.ts'

export function childPointer(parent: string, key: string | number): string {
  const step = String(key)
  return `${parent}/${/[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step}`
}

/** The value at a place; undefined where there is none. Only own members count. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    value = memberOf(value, key)
    if (value === undefined) return undefined
  }
  return value
}

/** The member of an object or a list by that name; undefined where there is none. */
export function memberOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  if (Array.isArray(value) && key === 'length') return undefined
  return (value as Record<string | number, JsonValue>)[key]
}
