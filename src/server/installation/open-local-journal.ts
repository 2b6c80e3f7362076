/**
 * The journal of a data folder, read from its store, so that verifying it does not rest on the word of a server.
 * The checkpoints are read first: none of them can then speak of an entry that was written while the journal was read.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createSigner } from '../../journal/checkpoints/checkpoint.ts'
import { type CheckpointFile, parseCheckpointFile } from '../../journal/checkpoints/checkpoint-file.ts'
import { type JournalSource, pageJournal } from '../../journal/journal-source.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import type { DataFolder } from './data-folder.ts'
import { openLocalStore } from './open-local-store.ts'

export interface LocalJournal {
  readonly source: JournalSource
  /** Those in the data folder. */
  readonly checkpoints: CheckpointFile
  /** Of the data folder's own signing key, as PEM; undefined when there is none yet. */
  readonly publicKey: string | undefined
  close(): Promise<void>
}

export async function openLocalJournal(folder: DataFolder, environment: Environment): Promise<LocalJournal> {
  const checkpoints = existsSync(folder.checkpoints)
    ? parseCheckpointFile(readFileSync(folder.checkpoints, 'utf8'))
    : { checkpoints: [], rotations: [] }
  const publicKey = existsSync(folder.signingKey)
    ? createSigner(readFileSync(folder.signingKey, 'utf8')).publicKey
    : undefined
  const store = await openLocalStore(folder, environment)
  return { source: pageJournal(store.journal), checkpoints, publicKey, close: () => store.close() }
}
