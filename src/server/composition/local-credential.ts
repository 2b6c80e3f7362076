/**
 * The credential of whoever owns the data folder. They can write the store, so they need no token to be given one: the
 * command line makes a key in it, and keeps that in the data folder, readable for its owner alone. It is in the journal.
 */
import { join } from 'node:path'
import { createClient, isClientError } from '../../client/index.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import { checkOwnFolder } from '../installation/check-own-folder.ts'
import type { DataFolder, ServerFile } from '../installation/data-folder.ts'
import { checkKnownFolder } from '../installation/known-folder.ts'

/** A key for the running server, as its owner. */
export async function openLocalCredential(
  folder: DataFolder,
  server: ServerFile,
  environment: Environment,
): Promise<string> {
  checkOwnFolder(folder)
  checkKnownFolder(folder, environment)
  const file = join(folder.path, 'cli-key')
  const kept = readKept(file)
  if (kept !== undefined && (await isAccepted(server.url, kept))) return kept
  // Late, since a whole gateway comes with it and most commands find a key.
  const { createLocalKey, ownerOf } = await import('./local-gateway.ts')
  const key = await createLocalKey(folder, environment, ownerOf(server))
  putFile(file, `${key}\n`)
  return key
}

function readKept(file: string): string | undefined {
  try {
    return readIfThere(file)?.trim() || undefined
  } catch {
    return undefined
  }
}

async function isAccepted(url: string, token: string): Promise<boolean> {
  try {
    return (await createClient({ url, token }).me()).role === 'admin'
  } catch (error) {
    if (isClientError(error, 'unauthenticated')) return false
    throw error
  }
}
