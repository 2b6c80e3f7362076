/**
 * The ignore files by which a search passes over our own folders, so that nobody need be asked for it. Of the two,
 * `.rgignore` outweighs what any folder above says in a file of that name, and `.ignore` is what other searchers read.
 *
 * Whoever looks says only what is there now: anything but the two plain files as we write them means that the folder may
 * be searched.
 */
import { constants as fs } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'

export const SEARCH_IGNORES = ['.ignore', '.rgignore'] as const
export const IGNORES_ALL = '*\n'

/** None where the environment names settings for ripgrep: those may have it search everything. */
export async function findIgnoredFolders(
  folders: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  if (environment.RIPGREP_CONFIG_PATH) return []
  const found = await Promise.all(folders.map(isIgnored))
  return folders.filter((_, at) => found[at] === true)
}

async function isIgnored(folder: string): Promise<boolean> {
  try {
    if (!(await lstat(folder)).isDirectory()) return false
    const texts = await Promise.all(SEARCH_IGNORES.map((name) => readPlain(join(folder, name))))
    return texts.every((text) => text === IGNORES_ALL)
  } catch {
    return false
  }
}

/** The beginning of a file that is no link; whatever is longer is not ours. */
async function readPlain(path: string): Promise<string> {
  const file = await open(path, fs.O_RDONLY | (fs.O_NOFOLLOW ?? 0) | (fs.O_NONBLOCK ?? 0))
  try {
    if (!(await file.stat()).isFile() || !(await lstat(path)).isFile()) return ''
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
