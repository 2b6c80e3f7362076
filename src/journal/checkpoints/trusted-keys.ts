/**
 * Which keys may sign checkpoints: those that the verifier was given, and those that a trusted key handed over
 * to. A key stays trusted after it handed over, because what it signed before must go on counting; the time in
 * a statement is its signer's own word and can't tell before from after.
 */
import type { KeyObject } from 'node:crypto'
import type { Problem } from '../problems.ts'
import { quoteName } from '../problems.ts'
import { isRotation, isSignedBy, keyIdOf, type Rotation, readPublicKey } from './checkpoint.ts'

export interface TrustedKeys {
  /** Their ids, the first ones first. */
  readonly ids: readonly string[]
  find(keyId: string): KeyObject | undefined
  /** Rotations that were not followed, and why. */
  readonly problems: readonly Problem[]
}

/**
 * @param firstPublicKeys PEM of the keys that are trusted from the start.
 * @param rotations In the order in which they were written; of two that hand over the same key the first counts.
 */
export function trustKeys(
  firstPublicKeys: string | readonly string[],
  rotations: readonly Rotation[] = [],
): TrustedKeys {
  const keys = new Map<string, KeyObject>()
  for (const pem of [firstPublicKeys].flat()) {
    const key = readPublicKey(pem)
    keys.set(keyIdOf(key), key)
  }
  const problems: Problem[] = []
  const handedOver = new Map<string, string>()
  for (const rotation of rotations) {
    const followed = follow(rotation, keys, handedOver)
    if (followed.kind === 'refused') problems.push(followed.problem)
    else {
      keys.set(rotation.to, followed.key)
      handedOver.set(rotation.from, rotation.to)
    }
  }
  return { ids: [...keys.keys()], find: (keyId) => keys.get(keyId), problems }
}

function follow(
  rotation: Rotation,
  keys: ReadonlyMap<string, KeyObject>,
  handedOver: ReadonlyMap<string, string>,
): { kind: 'followed'; key: KeyObject } | { kind: 'refused'; problem: Problem } {
  const name = `the rotation from key ${quoteName(rotation.from)} to ${quoteName(rotation.to)}`
  const refuse = (kind: 'unknown_key' | 'bad_signature', why: string) => {
    return { kind: 'refused' as const, problem: { kind, message: `${name} ${why}` } }
  }
  const old = keys.get(rotation.from)
  if (old === undefined) return refuse('unknown_key', 'is signed by a key that is not trusted')
  if (!isRotation(rotation) || !isSignedBy(rotation, old))
    return refuse('bad_signature', 'has a bad signature')
  const before = handedOver.get(rotation.from)
  if (before !== undefined && before !== rotation.to) {
    return refuse(
      'unknown_key',
      `comes after the same key handed over to ${quoteName(before)}; only one can follow`,
    )
  }
  try {
    const key = readPublicKey(rotation.publicKey)
    if (keyIdOf(key) === rotation.to) return { kind: 'followed', key }
  } catch {
    // Falls through: signed nonsense is nonsense too.
  }
  return refuse('bad_signature', 'carries another key than the one it names')
}
