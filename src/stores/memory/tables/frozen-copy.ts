/**
 * What the memory store keeps is a frozen copy, made once when it comes in: it can be handed out as it is, as often
 * as it is asked for, and nobody can change it from outside. Members that are undefined are left out, as in JSON.
 */
export function frozenCopy<T>(value: T): T {
  return copy(value) as T
}

function copy(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`a ${typeof value} can't be stored`)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item ?? null)))
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key]
    if (member === undefined) continue
    // Plain assignment would set the prototype where an attacker's JSON names a member `__proto__`.
    if (key === '__proto__') Object.defineProperty(out, key, { value: copy(member), enumerable: true })
    else out[key] = copy(member)
  }
  return Object.freeze(out)
}
