/**
 * Which server runs on a data folder now. A credential is sent to the address that this gives, and after a crash the
 * port may belong to anyone, an agent included: the file that names the address counts only while its process lives
 * and the folder's lock is held.
 */
import { existsSync } from 'node:fs'
import { isBanksmanError } from '../../core/errors.ts'
import { isAlive } from '../host/process-identity.ts'
import { type DataFolder, lockDataFolder, readServerFile, type ServerFile } from './data-folder.ts'

export function findRunningServer(folder: DataFolder): ServerFile | undefined {
  if (!existsSync(folder.serverFile)) return undefined
  const file = readServerFile(folder)
  if (file === undefined || typeof file.url !== 'string') return undefined
  if (!Number.isSafeInteger(file.pid) || file.pid <= 0 || !isAlive(file.pid)) return undefined
  // Only now, since trying the lock could get in the way of a server that is just starting.
  return isLocked(folder) ? file : undefined
}

function isLocked(folder: DataFolder): boolean {
  try {
    lockDataFolder(folder).release()
    return false
  } catch (error) {
    return isBanksmanError(error, 'data_folder_in_use')
  }
}
