/**
 * Reads members of objects that came over the wire. What is of the wrong type is an error that names the place, what should
 * be there and what was found; `null` counts as absent, since many languages write an absent member so.
 */
export type WireMembers = Readonly<Record<string, unknown>>

export function objectAt(value: unknown, at: string): WireMembers {
  if (!isMembers(value)) wrong(at, 'an object', value)
  return value
}

export function optionalObject(members: WireMembers, key: string, at: string): WireMembers | undefined {
  const value = members[key] ?? undefined
  return value === undefined ? undefined : objectAt(value, `${at}.${key}`)
}

export function optionalText(members: WireMembers, key: string, at: string): string | undefined {
  const value = members[key] ?? undefined
  if (value !== undefined && typeof value !== 'string') wrong(`${at}.${key}`, 'a string', value)
  return value
}

/** Not absent and not empty. */
export function nameAt(members: WireMembers, key: string, at: string): string {
  const value = optionalText(members, key, at)
  if (value === undefined || value === '') {
    throw new Error(`${at}.${key} must be a string that is not empty; found: ${keysOf(members)}`)
  }
  return value
}

export function optionalFlag(members: WireMembers, key: string, at: string): boolean | undefined {
  const value = members[key] ?? undefined
  if (value !== undefined && typeof value !== 'boolean') wrong(`${at}.${key}`, 'true or false', value)
  return value
}

export function optionalNumber(members: WireMembers, key: string, at: string): number | undefined {
  const value = members[key] ?? undefined
  if (value !== undefined && typeof value !== 'number') wrong(`${at}.${key}`, 'a number', value)
  return value
}

/** Absent: empty. */
export function listAt(members: WireMembers, key: string, at: string): readonly unknown[] {
  const value = members[key] ?? []
  if (!Array.isArray(value)) wrong(`${at}.${key}`, 'a list', value)
  return value
}

/** The names of the members, for a message that says what came in place of what should have. */
export function keysOf(members: WireMembers): string {
  const keys = Object.keys(members)
  if (keys.length === 0) return 'nothing'
  const shown = keys.slice(0, MAX_KEYS).map((key) => (key.length > 40 ? `${key.slice(0, 40)}…` : key))
  return (
    shown.join(', ').toWellFormed() + (keys.length > MAX_KEYS ? ` and ${keys.length - MAX_KEYS} more` : '')
  )
}

export function isMembers(value: unknown): value is WireMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function wrong(at: string, expected: string, found: unknown): never {
  throw new Error(`${at} must be ${expected}; found ${describe(found)}`)
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string')
    return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60).toWellFormed()}…` : value)}`
  return `the ${typeof value} ${String(value)}`
}

const MAX_KEYS = 8
