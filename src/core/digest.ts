/** SHA-256, in hex. The digest of a call is made over its canonical bytes (P3). */
import { createHmac, hash } from 'node:crypto'

export function digestOf(bytes: string): string {
  return hash('sha256', bytes, 'hex')
}

/** A keyed commitment: a bare hash of a short secret could be guessed, this one not without the key (P10). */
export function commitmentOf(key: string, bytes: string): string {
  return createHmac('sha256', key).update(bytes).digest('hex')
}
