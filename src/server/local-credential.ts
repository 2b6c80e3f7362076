/**
 * The credential of whoever owns the data folder. They can write the database, so they need no token to be given one:
 * the command line makes a login code in the shared database, exchanges it with the running server for a key, and
 * keeps that key beside the database, readable for its owner alone. Every step is in the journal.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, isClientError, login } from '../client/index.ts'
import type { DataFolder, ServerFile } from './data-folder.ts'
import { checkOwnFolder } from './own-folder.ts'

/** A key for the running server, as its owner. */
export async function openLocalCredential(folder: DataFolder, server: ServerFile): Promise<string> {
  checkOwnFolder(folder)
  const file = join(folder.path, 'cli-key')
  const kept = readKept(file)
  if (kept !== undefined && (await isAccepted(server.url, kept))) return kept
  // Late, since a whole gateway comes with it and most commands find a key.
  const { createLoginCode, ownerOf } = await import('./local-gateway.ts')
  const owner = ownerOf(server)
  const { code } = await createLoginCode(folder, { subject: owner, role: 'admin', by: owner })
  const { key } = await login({ url: server.url, code })
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return key
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
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
