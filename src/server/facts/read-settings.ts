/**
 * Reads files of settings that others wrote, for the hosts that they name. A file is read as text of a limited size and
 * nothing of it is run. What is handed on of an address is its scheme, host and port: a name or a password in it is not.
 */
import { constants as fs } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import { isProcessPath } from '../../core/process/process-path.ts'

const LONGEST = 256 * 1024

/** `none`: there is no such file. Undefined where it can't be read as plain text, whatever the reason. */
export async function readSettings(path: string): Promise<string | 'none' | undefined> {
  if (!isAbsolute(path) || path.includes('\0') || isProcessPath(path)) return undefined
  try {
    const file = await open(path, fs.O_RDONLY | (fs.O_NONBLOCK ?? 0))
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > LONGEST) return undefined
      const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST + 1), 0, LONGEST + 1, 0)
      return bytesRead > LONGEST ? undefined : buffer.toString('utf8', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'none' : undefined
  }
}

/** The folder and those around it, the nearest first. */
export function foldersAround(folder: string): string[] {
  const found = [folder]
  for (let up = dirname(folder); up !== found.at(-1) && found.length < MAX_FOLDERS; up = dirname(up))
    found.push(up)
  return found
}

const MAX_FOLDERS = 32

/** `https://user:secret@example.com:8443/x` without all that is no host; undefined for what is no address. */
export function bareAddress(address: string): string | undefined {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\s]*)/i.exec(address) ?? []
  const host = authority.replace(/^.*@/s, '')
  return host === '' ? undefined : `${scheme.toLowerCase()}://${host.toLowerCase()}`
}
