/**
 * Reads files of the workspace, so that a change can be shown where it will be made. Nothing outside the folders that
 * agents work in is read: whoever may decide a call must not get to see any file of this machine by having one named.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { sep } from 'node:path'

/** More than this nobody reads beside a change. */
const LARGEST = 256 * 1024

/** The path must be absolute, with its links followed. Undefined for whatever is not a text of the workspace. */
export type ReadText = (path: string) => Promise<string | undefined>

export function createTextReader(folders: () => readonly (string | undefined)[]): ReadText {
  return async (path) => {
    if (!folders().some((folder) => folder !== undefined && isBelow(path, folder))) return undefined
    // A link that has come there since is not followed, and a pipe does not keep us waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const about = await file.stat()
      if (!about.isFile() || about.size > LARGEST) return undefined
      const bytes = new Uint8Array(about.size)
      const { bytesRead } = await file.read(bytes, 0, about.size, 0)
      return textOf(bytes.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    // A mark at the beginning is part of the file.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
