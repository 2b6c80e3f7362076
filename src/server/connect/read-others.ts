/** Files that somebody else has put there: a repository that was cloned, or a program that runs beside us. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentDisk } from '../../coding-agents/setup/agent-setup.ts'
import { BanksmanError } from '../../core/errors.ts'
import { readIfThere } from '../host/replace-file.ts'

/** More than anybody writes into settings. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_FILES = 20_000

/** Undefined where there is no file, or something else: a link of a repository may lead to a device that never ends. */
export function readOthers(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() !== true) return undefined
  if (found.size > MAX_BYTES) throw new BanksmanError('too_large', `${path} is too large to be read`)
  return readIfThere(path)
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

export const DISK: AgentDisk = { read: readOthers, list: listOthers }

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
