/**
 * The data folder: `.banksman/`, readable by its owner alone, used by one server at a time. The lock is a lock of the
 * operating system on a file in it, so it is gone when its holder is, however that ended.
 */

import { chmodSync, existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { guarded } from '../../stores/sqlite/database/errors.ts'
import { IGNORES_ALL, SEARCH_IGNORES } from '../facts/ignored-folders.ts'
import { readIfThere } from '../host/read-file.ts'

export interface DataFolder {
  readonly path: string
  readonly database: string
  readonly signingKey: string
  readonly checkpoints: string
  /** The public halves of the keys that signed before. */
  readonly earlierKeys: string
  /** The key that push services know us by. Only there where Web Push is switched on. */
  readonly pushKey: string
  /** Where the first start leaves the agent's token. */
  readonly agentToken: string
  /** Where the running server can be found by the command line. */
  readonly serverFile: string
  /** Where the store is that the last start opened, where it is not the folder's own database. */
  readonly storeFile: string
  /** A name that the folder keeps, and that the person's own folder knows: see `known-folder.ts`. */
  readonly installationFile: string
  /** Locked by the server that uses the folder. */
  readonly lockFile: string
  /** By which other nodes on the same store know this one. */
  readonly nodeFile: string
}

export function openDataFolder(path: string): DataFolder {
  const folder = dataFolderAt(path)
  mkdirSync(folder.path, { recursive: true, mode: 0o700 })
  chmodSync(folder.path, 0o700)
  for (const name of ['.gitignore', ...SEARCH_IGNORES])
    writeWhereMissing(join(folder.path, name), IGNORES_ALL)
  return folder
}

/** What somebody has put there stays, a link that leads nowhere too. */
function writeWhereMissing(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Where everything would be; nothing is made or looked at. */
export function dataFolderAt(path: string): DataFolder {
  const full = resolve(path)
  return {
    path: full,
    database: join(full, 'banksman.db'),
    signingKey: join(full, 'journal-key.pem'),
    checkpoints: join(full, 'checkpoints.ndjson'),
    earlierKeys: join(full, 'journal-earlier-keys.pem'),
    pushKey: join(full, 'push-key.pem'),
    agentToken: join(full, 'agent-token'),
    serverFile: join(full, 'server.json'),
    storeFile: join(full, 'store.json'),
    installationFile: join(full, 'installation'),
    lockFile: join(full, 'lock.db'),
    nodeFile: join(full, 'node'),
  }
}

/** Throws `data_folder_in_use` while another server holds it. */
export function lockDataFolder(folder: DataFolder): { release(): void } {
  return lockFile(folder.lockFile, (cause) => {
    const other = readServerFile(folder)
    const where = other === undefined ? '' : ` (process ${other.pid}, ${other.url})`
    return new BanksmanError(
      'data_folder_in_use',
      `another server already uses ${folder.path}${where}; stop it, or choose another folder with --data or BANKSMAN_DATA`,
      { ...other },
      { cause },
    )
  })
}

/**
 * The same for a database that lies elsewhere, and that a server with another data folder may have been given too, perhaps by
 * another name.
 */
export function lockDatabase(named: string): { release(): void } {
  const file = existsSync(named) ? realpathSync(named) : named
  if ((statSync(file, { throwIfNoEntry: false })?.nlink ?? 1) > 1)
    throw new BanksmanError(
      'data_folder_in_use',
      `${file} has another name too (a hard link), by which another server could open it; remove one of them`,
    )
  return lockFile(`${file}-server`, (cause) => {
    return new BanksmanError(
      'data_folder_in_use',
      `another server already uses ${file}; SQLite serves one server, so stop it, or share a store between servers with postgres:// or redis://`,
      {},
      { cause },
    )
  })
}

function lockFile(file: string, inUse: (cause: unknown) => BanksmanError): { release(): void } {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const lock = guarded('locking', file, () => new DatabaseSync(file))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    throw inUse(cause)
  }
  return { release: () => lock.close() }
}

export interface ServerFile {
  url: string
  pid: number
  /** The Unix socket that only its own user can reach. Absent where there is none, and in files of earlier versions. */
  socket?: string
  /** The person this installation belongs to. */
  owner?: string
  /** The others that its configuration knows. */
  people?: string[]
  /** The address by which people call it, where a proxy is in front of it. */
  publicUrl?: string
  /** What it goes on with until its next start: see `configuration-changes.ts`. */
  startedWith?: Record<string, string>
  /** The demonstration's policy, while that is in force because there is no configuration file. */
  demonstration?: { policy: object; roots: string[] }
}

export function readServerFile(folder: DataFolder): ServerFile | undefined {
  try {
    const text = readIfThere(folder.serverFile)
    return text === undefined ? undefined : parseJson<ServerFile>(text)
  } catch {
    return undefined
  }
}
