/**
 * Reads a JSON body: at most 2 MiB, counted while it comes, so that a body without a length can't fill the memory;
 * strictly, so that nothing in it is silently changed (P3); and only as `application/json`, which no page of another
 * origin can send without being asked first.
 */
import type { z } from 'zod'
import { BanksmanError, type ErrorCode } from '../core/errors.ts'
import type { JsonValue } from '../core/json.ts'
import { parseStrictJson } from '../core/strict-json.ts'
import { checkShape } from './check-shape.ts'
import type { HttpContext } from './parts.ts'

/** A call may have 1 MiB of arguments; this leaves room for its context, and for a JSON that is not compact. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

export async function readBody<T>(c: HttpContext, schema: z.ZodType<T>, code: ErrorCode): Promise<T> {
  const length = c.req.header('content-length')
  const bytes = await readBytes(c, length)
  // Nothing at all stands for an object without members, where the schema takes one.
  if (bytes.byteLength === 0) return checkShape(schema, {}, code, 'the body (there is none)')
  checkMediaType(c)
  return checkShape(schema, parseBytes(bytes), code, 'the body')
}

function parseBytes(bytes: ArrayBuffer | Uint8Array): JsonValue {
  let text: string
  try {
    // Lenient decoding would put U+FFFD where the sender had something else.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new BanksmanError('invalid_json', 'the body is not UTF-8')
  }
  return parseStrictJson(text)
}

function checkMediaType(c: HttpContext): void {
  const type = c.req.header('content-type') ?? ''
  const [name = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (name === 'application/json' && isUtf8 && c.req.header('content-encoding') === undefined) return
  throw new BanksmanError(
    'wrong_media_type',
    `the body must be sent as application/json in UTF-8, not compressed; found ${JSON.stringify(type.slice(0, 100))}`,
  )
}

async function readBytes(c: HttpContext, length: string | undefined): Promise<ArrayBuffer | Uint8Array> {
  if (length !== undefined) {
    // The parser below us takes no more than the length that was announced.
    if (!(Number(length) <= MAX_BODY_BYTES)) throw tooLarge()
    return c.req.arrayBuffer()
  }
  const body = c.req.raw.body
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function tooLarge(): BanksmanError {
  return new BanksmanError(
    'too_large',
    `the body is larger than ${MAX_BODY_BYTES} bytes, which is the limit. Put large content in a file that the tool reads`,
    { limit: MAX_BODY_BYTES },
  )
}
