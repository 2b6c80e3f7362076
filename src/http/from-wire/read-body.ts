/**
 * Reads a JSON body: at most 2 MiB, counted while it comes, so that a body without a length can't fill the memory;
 * strictly, so that nothing in it is silently changed (P3); and only as `application/json`, which no page of another
 * origin can send without being asked first.
 */

import type { z } from 'zod'
import { BanksmanError, type ErrorCode } from '../../core/errors.ts'
import { parseStrictJson } from '../../core/json/strict-json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { HttpContext } from '../connection/http-context.ts'
import { checkShape } from './check-shape.ts'

/** A call may have 1 MiB of arguments; this leaves room for its context, and for a JSON that is not compact. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

export async function readBody<T>(c: HttpContext, schema: z.ZodType<T>, code: ErrorCode): Promise<T> {
  const text = await readJsonText(c, MAX_BODY_BYTES)
  // Nothing at all stands for an object without members, where the schema takes one.
  if (text === '') return checkShape(schema, {}, code, 'the body (there is none)')
  return checkShape(schema, parseStrictJson(text), code, 'the body')
}

/** The body as it came, for who reads it by other rules. Empty where there is none. */
export async function readJsonText(c: HttpContext, maxBytes: number): Promise<string> {
  const bytes = await readBytes(c, maxBytes)
  if (bytes.byteLength === 0) return ''
  checkMediaType(c, 'application/json')
  return decodeUtf8(bytes)
}

/** Lenient decoding would put U+FFFD where the sender had something else. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BanksmanError('invalid_json', 'the body is not UTF-8')
  }
}

/** Before the body is read, and where nobody may read it: it is JSON, or there is neither a body nor a type. */
export function checkJsonType(c: HttpContext): void {
  const length = Number(c.req.header('content-length') ?? 0)
  const isEmpty = length === 0 && c.req.header('transfer-encoding') === undefined
  if (isEmpty && c.req.header('content-type') === undefined) return
  checkMediaType(c, 'application/json')
}

export function checkMediaType(c: HttpContext, wanted: string): void {
  const type = c.req.header('content-type') ?? ''
  const [name = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (name === wanted && isUtf8 && c.req.header('content-encoding') === undefined) return
  throw new BanksmanError(
    'wrong_media_type',
    `the body must be sent as ${wanted} in UTF-8, not compressed; found ${JSON.stringify(type.slice(0, 100))}`,
  )
}

export async function readBytes(c: HttpContext, maxBytes: number): Promise<Uint8Array> {
  const length = c.req.header('content-length')
  // The parser below us takes no more than the length that was announced.
  if (length !== undefined && !(Number(length) <= maxBytes)) throw tooLarge(maxBytes)
  try {
    return length === undefined ? await collect(c, maxBytes) : new Uint8Array(await c.req.arrayBuffer())
  } catch (error) {
    if (!c.req.raw.signal.aborted) throw error
    throw new BanksmanError('invalid', 'the connection ended before the body was whole', {}, { cause: error })
  }
}

async function collect(c: HttpContext, maxBytes: number): Promise<Uint8Array> {
  const body = c.req.raw.body
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function tooLarge(limit: number): BanksmanError {
  return reasonedError('too_large', reasonOf('problem.body-long', { limit }), { limit })
}
