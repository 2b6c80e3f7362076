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
  /** Of the data folder's own signing keys, as PEM, the newest last; none before the first start. */
  readonly publicKeys: readonly string[]
  close(): Promise<void>
}

/** The public keys that this folder has signed with, the newest last. */
export function publicKeysOf(folder: DataFolder): string[] {
  const earlier = (readIfThere(folder.earlierKeys) ?? '').match(
    /-----BEGIN [^-]+-----[\s\S]*?-----END [^-]+-----/g,
  )
  const own = readIfThere(folder.signingKey)
  return [...(earlier ?? []), ...(own === undefined ? [] : [createSigner(own).publicKey])]
}

/** They grow by a line a minute for as long as the folder is used. */
export function readCheckpoints(folder: DataFolder): CheckpointFile {
  return parseCheckpointFile(readIfThere(folder.checkpoints, Number.MAX_SAFE_INTEGER) ?? '')
}

export async function openLocalJournal(folder: DataFolder, environment: Environment): Promise<LocalJournal> {
  const checkpoints = readCheckpoints(folder)
  const publicKeys = publicKeysOf(folder)
  const store = await openLocalStore(folder, environment)
  return { source: pageJournal(store.journal), checkpoints, publicKeys, close: () => store.close() }
}
