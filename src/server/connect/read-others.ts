/** Files that somebody else has put there: a repository that was cloned, or a program that runs beside us. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentDisk } from '../../coding-agents/setup/agent-setup.ts'
import { BanksmanError } from '../../core/errors.ts'
import { findFile, MAX_FILE_BYTES, MAX_GROWN_BYTES } from '../host/read-file.ts'

const MAX_FILES = 20_000

/** Undefined where there is no file, or something else. Throws where it is too long. */
export function readOthers(path: string, limit = MAX_GROWN_BYTES): string | undefined {
  const found = findFile(path, limit)
  if (found?.kind === 'refused' && found.error === undefined && found.reason.code === 'file.long')
    throw new BanksmanError('too_large', `${path} is too large to be read`)
  if (found?.kind === 'refused' && found.error !== undefined) throw found.error
  return found?.kind === 'file' ? found.bytes.toString('utf8') : undefined
}

/** All files in this folder and those below it; links to files among them. */
function listOthers(folder: string, depth = 8): string[] {
  const found: string[] = []
  look(folder, depth)
  return found.sort()

  function look(at: string, below: number): void {
    for (const entry of entriesOf(at)) {
      if (found.length >= MAX_FILES) return
      const path = join(at, entry.name)
      if (!entry.isDirectory()) found.push(path)
      else if (below > 0) look(path, below - 1)
    }
  }
}

export const DISK: AgentDisk = {
  read: (path) => readOthers(path, MAX_FILE_BYTES),
  list: listOthers,
}

/** When the newest of the files was written that end so, in this folder and the folders below it. Undefined: there is none. */
export function lastWritten(folder: string, ending: string, depth: number): Date | undefined {
  let [newest, left] = [0, MAX_FILES]
  look(folder, depth)
  return newest === 0 ? undefined : new Date(newest)

  function look(at: string, below: number): void {
    for (const entry of entriesOf(at)) {
      if (left-- <= 0) return
      const path = join(at, entry.name)
      if (entry.isDirectory() && below > 0) look(path, below - 1)
      else if (entry.isFile() && entry.name.endsWith(ending))
        newest = Math.max(newest, statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
