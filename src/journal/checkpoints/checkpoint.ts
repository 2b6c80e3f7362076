/**
 * Signed checkpoints, the proof in the journal (P10).
 *
 * Whoever can rewrite the whole journal can make it agree with itself. A checkpoint says with an Ed25519
 * signature what the hash of a chain was at entry n; kept where the journal's writer can't reach it, it shows
 * any change up to n. A rotation says, signed by the old key, which key comes next, so that whoever trusts the
 * first key can follow to the newest.
 *
 * What is signed is the canonical form of all members but the signature. A checkpoint and a rotation have
 * different members, all of which are required and no other is taken, so one can't be passed off as the other.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize } from '../../core/json/json.ts'
import type { ChainHead } from '../entry.ts'
import { isCount, isHash } from '../read-body.ts'
import type { TrustedKeys } from './trusted-keys.ts'

export interface Checkpoint {
  v: 1
  chain: string
  n: number
  /** The hash of the chain up to and including entry n. */
  hash: string
  at: number
  keyId: string
  /** Base64. */
  signature: string
}

/** From now on the key `to` signs. Signed by the key `from`. */
export interface Rotation {
  v: 1
  type: 'rotation'
  from: string
  to: string
  /** Of `to`, as PEM. */
  publicKey: string
  at: number
  signature: string
}

export interface Signer {
  readonly keyId: string
  /** As PEM: what a verifier must be given. */
  readonly publicKey: string
  checkpoint(chain: string, head: ChainHead, at: number): Checkpoint
  /** Hands over to another key, which is given as the PEM of its public half. */
  rotate(publicKey: string, at: number): Rotation
}

/** Makes a new key pair, as PEM. It draws on the system's randomness: only the edge of the program calls it. */
export function generateSigningKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
}

export function createSigner(privateKeyPem: string): Signer {
  const privateKey = readKey(privateKeyPem, 'private', createPrivateKey)
  const publicKey = createPublicKey(privateKey)
  const keyId = keyIdOf(publicKey)
  const signed = <T extends object>(statement: T) => ({
    ...statement,
    signature: sign(null, Buffer.from(canonicalize(statement)), privateKey).toString('base64'),
  })
  return {
    keyId,
    publicKey: toPem(publicKey),
    checkpoint: (chain, { n, hash }, at) => signed({ v: 1 as const, chain, n, hash, at, keyId }),
    rotate(nextPem, at) {
      const next = readPublicKey(nextPem)
      const to = keyIdOf(next)
      if (to === keyId) {
        throw new BanksmanError(
          'invalid',
          `the key ${keyId} is already the one that signs; a rotation needs another key`,
        )
      }
      return signed({ v: 1 as const, type: 'rotation' as const, from: keyId, to, publicKey: toPem(next), at })
    },
  }
}

export type CheckpointVerdict = 'valid' | 'bad_signature' | 'unknown_key'

export function verifyCheckpoint(checkpoint: Checkpoint, keys: TrustedKeys): CheckpointVerdict {
  const key = keys.find(checkpoint.keyId)
  if (key === undefined) return 'unknown_key'
  return isCheckpoint(checkpoint) && isSignedBy(checkpoint, key) ? 'valid' : 'bad_signature'
}

/** Names a key: the first 16 hex digits of the SHA-256 of its public half (SPKI, DER). */
export function keyIdOf(publicKey: KeyObject): string {
  return hash('sha256', publicKey.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16)
}

export function readPublicKey(pem: string): KeyObject {
  return readKey(pem, 'public', createPublicKey)
}

export function isSignedBy(statement: Checkpoint | Rotation, key: KeyObject): boolean {
  const { signature, ...rest } = statement
  try {
    return verify(null, Buffer.from(canonicalize(rest)), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

export function isCheckpoint(value: object): value is Checkpoint {
  const checkpoint = value as Checkpoint
  return (
    hasExactly(value, ['v', 'chain', 'n', 'hash', 'at', 'keyId', 'signature']) &&
    checkpoint.v === 1 &&
    typeof checkpoint.chain === 'string' &&
    isCount(checkpoint.n) &&
    isHash(checkpoint.hash) &&
    Number.isSafeInteger(checkpoint.at) &&
    typeof checkpoint.keyId === 'string' &&
    typeof checkpoint.signature === 'string'
  )
}

export function isRotation(value: object): value is Rotation {
  const rotation = value as Rotation
  return (
    hasExactly(value, ['v', 'type', 'from', 'to', 'publicKey', 'at', 'signature']) &&
    rotation.v === 1 &&
    rotation.type === 'rotation' &&
    typeof rotation.from === 'string' &&
    typeof rotation.to === 'string' &&
    typeof rotation.publicKey === 'string' &&
    Number.isSafeInteger(rotation.at) &&
    typeof rotation.signature === 'string'
  )
}

function hasExactly(value: object, members: string[]): boolean {
  return (
    Object.keys(value).length === members.length && members.every((member) => Object.hasOwn(value, member))
  )
}

function readKey(pem: string, half: 'private' | 'public', read: (pem: string) => KeyObject): KeyObject {
  let key: KeyObject
  try {
    // Node would derive a public key from a private one: then a private key could be handed around as public.
    if (half === 'public' && pem.includes('PRIVATE KEY')) throw new Error('it is a private key')
    key = read(pem)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new BanksmanError(
      'invalid',
      `that is no ${half} key: ${why}. It must be an Ed25519 ${half} key as PEM`,
    )
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new BanksmanError(
      'invalid',
      `the ${half} key is of the type ${key.asymmetricKeyType}; it must be Ed25519`,
    )
  }
  return key
}

function toPem(publicKey: KeyObject): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString()
}
