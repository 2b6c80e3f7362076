/** Writes files that others read at the same time: all of it or nothing, also when we are killed meanwhile. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'

/** Undefined: there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** A link goes on leading to the same file, and a file that is there keeps its mode. */
export function replaceFile(file: string, text: string, newMode = 0o644): void {
  let path = file
  let mode = newMode
  try {
    path = realpathSync(file)
    mode = statSync(path).mode & 0o777
  } catch (error) {
    if (!isMissing(error)) throw error
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  }
  putFile(path, text, mode)
}

/** In place of whatever is there, a link too, with this mode. */
export function putFile(path: string, text: string, mode: number): void {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.new`
  try {
    writeFileSync(temporary, text, { mode, flag: 'wx' })
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  if (readFileSync(path, 'utf8') !== text)
    throw new BanksmanError('facts_changed', `${path} was changed by another program`)
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}
