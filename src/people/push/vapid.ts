/**
 * Who it is that pushes, as push services want to know it (VAPID, RFC 8292): a key pair of our own, and a short-lived
 * statement signed with it for each service.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { BanksmanError } from '../../core/errors.ts'

export interface Vapid {
  /** The uncompressed point, base64url: what a browser subscribes with. */
  readonly publicKey: string
  /** The `Authorization` header for a push to this address. */
  authorization(endpoint: string, now: number): string
}

/** RFC 8292 allows a day. Half of it leaves room for clocks that are wrong. */
const VALID_MS = 12 * 3_600_000

/** `contact` is where a push service can write to when something is wrong: `mailto:` or `https:`. */
export function createVapid(privateKey: string, contact: string): Vapid {
  const key = readKey(privateKey)
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const publicKey = point.toString('base64url')
  return {
    publicKey,
    authorization(endpoint, now) {
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor((now + VALID_MS) / 1000),
        sub: contact,
      }
      const said = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
      const signature = sign('sha256', Buffer.from(said), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${said}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

/** A new private key, as PEM. */
export function generateVapidKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
}

function readKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Said below, without the key's text.
  }
  throw new BanksmanError(
    'invalid_configuration',
    'the key for Web Push must be a private key on the curve P-256, as PEM',
  )
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
