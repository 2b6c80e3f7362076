/**
 * What proves that a webhook's body comes from Feishu, on the bytes as they came. The signature is a hash over the timestamp, a
 * nonce, the Encrypt Key and those bytes; it is compared in constant time, and is valid for five minutes. Old card callbacks are
 * signed with the verification token and SHA-1 instead: that counts for those alone, and only where they are switched on.
 *
 * The same request sent again within the five minutes has the same event id, which is remembered in the store.
 */
import { createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import { isBanksmanError } from '../../../core/errors.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { parseStrictJson } from '../../../core/json/strict-json.ts'
import type { SentBytes } from '../../door.ts'
import { objectIn } from './members.ts'

export interface FeishuWebhook {
  encryptKey: string
  verificationToken: string
  /** Card callbacks in the form of before 2024 are taken, too. */
  takesLegacyCards: boolean
}

/** `old`: the signature of old card callbacks. */
export type SignatureScheme = 'current' | 'old'

const WINDOW_MS = 5 * 60_000
const IV_BYTES = 16

export function isFresh({ header, now }: Pick<SentBytes, 'header' | 'now'>): boolean {
  const timestamp = header('x-lark-request-timestamp') ?? ''
  return /^\d{10}$/.test(timestamp) && Math.abs(now - Number(timestamp) * 1000) <= WINDOW_MS
}

/** How these bytes are signed; undefined: not at all, or wrongly. */
export function signatureOf(
  { bytes, header }: Pick<SentBytes, 'bytes' | 'header'>,
  { encryptKey, verificationToken, takesLegacyCards }: FeishuWebhook,
): SignatureScheme | undefined {
  const given = header('x-lark-signature')
  const nonce = header('x-lark-request-nonce')
  const timestamp = header('x-lark-request-timestamp')
  if (given === undefined || nonce === undefined || timestamp === undefined) return undefined
  const sign = (algorithm: string, key: string) =>
    createHash(algorithm).update(`${timestamp}${nonce}${key}`).update(bytes).digest('hex')
  if (isSame(given, sign('sha256', encryptKey))) return 'current'
  if (takesLegacyCards && isSame(given, sign('sha1', verificationToken))) return 'old'
  return undefined
}

/**
 * The body, decrypted where it is encrypted. Undefined where it is no JSON object, or can't be decrypted. That it could be
 * decrypted proves nothing.
 */
export function openBody(bytes: Uint8Array, encryptKey: string): JsonObject | undefined {
  const body = readObject(Buffer.from(bytes).toString('utf8'))
  if (body?.encrypt === undefined) return body
  if (typeof body.encrypt !== 'string') return undefined
  const text = decrypt(body.encrypt, encryptKey)
  return text === undefined ? undefined : readObject(text)
}

/** In constant time, whatever their lengths are. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}

function decrypt(base64: string, encryptKey: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length < 2 * IV_BYTES) return undefined
  const key = createHash('sha256').update(encryptKey).digest()
  try {
    const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, IV_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

function readObject(text: string): JsonObject | undefined {
  try {
    return objectIn(parseStrictJson(text))
  } catch (error) {
    if (isBanksmanError(error)) return undefined
    throw error
  }
}
