/**
 * The journal of a data folder, read from its store, so that verifying it does not rest on the word of a server.
 * The checkpoints are read first: none of them can then speak of an entry that was written while the journal was read.
 */
import { createSigner } from '../../journal/checkpoints/checkpoint.ts'
import { type CheckpointFile, parseCheckpointFile } from '../../journal/checkpoints/checkpoint-file.ts'
import { type JournalSource, pageJournal } from '../../journal/journal-source.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { readIfThere } from '../host/read-file.ts'
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

/** They grow by a line a minute for as long as the folder is used. */
export function readCheckpoints(folder: DataFolder): CheckpointFile {
  return parseCheckpointFile(readIfThere(folder.checkpoints, Number.MAX_SAFE_INTEGER) ?? '')
}

export async function openLocalJournal(folder: DataFolder, environment: Environment): Promise<LocalJournal> {
  const checkpoints = readCheckpoints(folder)
  const key = readIfThere(folder.signingKey)
  const publicKey = key === undefined ? undefined : createSigner(key).publicKey
  const store = await openLocalStore(folder, environment)
  return { source: pageJournal(store.journal), checkpoints, publicKey, close: () => store.close() }
}
