/** Whether a data folder is there and is this user's own: only then may a command work on it directly. */
import { existsSync, statSync } from 'node:fs'
import { BanksmanError } from '../../core/errors.ts'
import type { DataFolder } from './data-folder.ts'

/** Throws unless the folder is a server's, and that of this user. */
export function checkOwnFolder(folder: DataFolder): void {
  const found = [folder.database, folder.storeFile].find((file) => existsSync(file))
  if (found === undefined) {
    throw new BanksmanError(
      'store_unavailable',
      `there is no Banksman data in ${folder.path}; go to the folder where the server was started, or name its data folder with --data or BANKSMAN_DATA`,
    )
  }
  const owner = statSync(found).uid
  // Files that root leaves beside another user's database would lock that user out of it.
  if (process.getuid !== undefined && owner !== process.getuid()) {
    throw new BanksmanError(
      'forbidden',
      `${folder.path} belongs to another user (uid ${owner}; you are ${process.getuid()}); run this as that user, or use a token with --token-file or BANKSMAN_TOKEN`,
    )
  }
}
