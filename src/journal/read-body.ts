/**
 * Reads the body of an entry back with suspicion. What the columns say and what the body says must agree: only
 * the body is covered by the hashes, while everything that looks up or filters entries goes by the columns.
 */

import { canonicalize, type JsonObject, type JsonValue } from '../core/json/json.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { ChainHead, Entry } from './entry.ts'

/** The head of another chain, as a `chain.opened` remembers it. The hash is there when its writer knew it. */
export interface RememberedHead {
  chain: string
  n: number
  hash?: string
}

export type ReadBody =
  | { kind: 'good'; at: number; prev: ChainHead | null; after: RememberedHead[] }
  | { kind: 'bad'; why: string }

export function readEntryBody(entry: Entry): ReadBody {
  let body: JsonValue
  try {
    body = parseJson(entry.body)
    if (canonicalize(body) !== entry.body) return bad('is JSON, but not in its canonical form')
  } catch {
    return bad('is not canonical JSON')
  }
  if (!isObject(body)) return bad('is not an object')
  if (body.v !== 1) return bad('has a version of the format that is not 1')
  if (typeof body.at !== 'number') return bad('has no time in `at`')
  for (const column of ['type', 'request', 'version'] as const) {
    if (body[column] !== entry[column]) return bad(`says another ${column} than the entry's column`)
  }
  if (isStep(entry.type) && (typeof entry.request !== 'string' || !isCount(entry.version))) {
    return bad('tells of a step of a request, but does not name the request and its version')
  }
  const prev = body.prev
  if (prev !== null && !isHead(prev)) return bad('has a `prev` that is neither null nor {n, hash}')
  const after: unknown = entry.type === 'chain.opened' ? (body.after ?? []) : []
  if (!Array.isArray(after) || !after.every(isRememberedHead)) {
    return bad('has an `after` that is not a list of {chain, n, hash?}')
  }
  return { kind: 'good', at: body.at, prev, after }
}

/**
 * Whether an entry of this type tells of a change of a request, and so of one version of it. Others may name a
 * request without changing it: a refused attempt, a lifted mask.
 */
export function isStep(type: string): boolean {
  return type.startsWith('request.')
}

export function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

/** A number of an entry or a version: they start at 1. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1
}

function isHead(value: JsonValue | undefined): value is { n: number; hash: string } {
  return isObject(value) && isCount(value.n) && isHash(value.hash)
}

function isRememberedHead(value: unknown): value is RememberedHead {
  return (
    isObject(value) &&
    typeof value.chain === 'string' &&
    isCount(value.n) &&
    (value.hash === undefined || isHash(value.hash))
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(why: string): ReadBody {
  return { kind: 'bad', why }
}
