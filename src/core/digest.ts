/** SHA-256, in hex. The digest of a call is made over its canonical bytes (P3). */
import { createHmac, hash } from 'node:crypto'

export function digestOf(bytes: string): string {
  return hash('sha256', bytes, 'hex')
}

/**
 * A keyed commitment to the bytes that a digest is of. The journal holds this in place of the digest: a bare hash of a short
 * secret could be guessed, this one not without the key, which is erased together with the bytes (P10).
 */
export function commitmentOf(key: string, digest: string): string {
  return createHmac('sha256', key).update(digest).digest('hex')
}
