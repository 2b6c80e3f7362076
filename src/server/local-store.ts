/**
 * The store of a data folder, for commands that work on it directly, beside a running server or without one. Nothing
 * is created: a folder that was named wrongly must not become a new, empty installation.
 */
import { existsSync, statSync } from 'node:fs'
import { BanksmanError } from '../core/errors.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import type { Store } from '../stores/store.ts'
import type { DataFolder } from './data-folder.ts'

export function openLocalStore(folder: DataFolder): Store {
  checkLocalFolder(folder)
  return openSqliteStore({ path: folder.database })
}

/** Throws unless there is a database in the folder and it is this user's. */
export function checkLocalFolder(folder: DataFolder): void {
  if (!existsSync(folder.database)) {
    throw new BanksmanError(
      'store_unavailable',
      `there is no Banksman data in ${folder.path}; go to the folder where the server was started, or name its data folder with --data or BANKSMAN_DATA`,
    )
  }
  const owner = statSync(folder.database).uid
  // Files that root leaves beside another user's database would lock that user out of it.
  if (process.getuid !== undefined && owner !== process.getuid()) {
    throw new BanksmanError(
      'forbidden',
      `${folder.path} belongs to another user (uid ${owner}; you are ${process.getuid()}); run this as that user, or use a token with --token-file or BANKSMAN_TOKEN`,
    )
  }
}
