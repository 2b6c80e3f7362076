/**
 * The store of a data folder, for commands that work on it directly, beside a running server or without one. Nothing
 * is created: a folder that was named wrongly must not become a new, empty installation.
 */
import { openSqliteStore } from '../stores/sqlite/store.ts'
import type { Store } from '../stores/store.ts'
import type { DataFolder } from './data-folder.ts'
import { checkOwnFolder } from './own-folder.ts'

export function openLocalStore(folder: DataFolder): Store {
  checkOwnFolder(folder)
  return openSqliteStore({ path: folder.database })
}
