/**
 * Hands the signing of checkpoints over to a new key. The statement of it, signed by the old key, goes wherever checkpoints go, so
 * whoever keeps the first public key elsewhere can follow to the newest. The old private key is gone afterwards.
 */
import { renameSync } from 'node:fs'
import { BanksmanError } from '../../core/errors.ts'
import { createSigner, generateSigningKey, type Rotation } from '../../journal/checkpoints/checkpoint.ts'
import { formatStatement } from '../../journal/checkpoints/checkpoint-file.ts'
import { appendLines } from '../host/append-file.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { DataFolder } from '../installation/data-folder.ts'

/** `files`: where checkpoints go. The server of the folder must not run: it has the old key in its memory. */
export function rotateKey(folder: DataFolder, files: readonly string[], at: number): Rotation {
  const old = readIfThere(folder.signingKey)
  if (old === undefined)
    throw new BanksmanError(
      'invalid',
      `there is no ${folder.signingKey} that could hand over; the next start makes a key`,
    )
  const signer = createSigner(old)
  const { privateKey, publicKey } = generateSigningKey()
  const rotation = signer.rotate(publicKey, at)
  // The new key is on the disk before anything says that it signs.
  const next = `${folder.signingKey}.next`
  putFile(next, privateKey)
  putFile(folder.earlierKeys, `${readIfThere(folder.earlierKeys) ?? ''}${signer.publicKey}`, 0o644)
  for (const file of files) appendLines(file, formatStatement(rotation))
  renameSync(next, folder.signingKey)
  return rotation
}
