/** Writes files that others read at the same time: all of it or nothing, also when we are killed meanwhile. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'
import { isMissing, MAX_GROWN_BYTES, readIfThere } from './read-file.ts'

/** For files of others: a link goes on leading to the same file, and a file that is there keeps its mode. */
export function replaceFile(file: string, text: string, newMode = 0o644): void {
  let path = file
  let mode = newMode
  try {
    path = realpathSync(file)
    mode = statSync(path).mode & 0o777
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  putFile(path, text, mode)
}

/** For files of ours, and their folder: in place of whatever is there, a link too. */
export function putFile(path: string, text: string, mode = 0o600): void {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.new`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  if (readIfThere(path, MAX_GROWN_BYTES) !== text)
    throw new BanksmanError('facts_changed', `${path} was changed by another program`)
}
