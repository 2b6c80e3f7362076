/**
 * What a repository tells coding agents, read by us. Claude Code would read it together with the repository's settings, which can start
 * programs. Only regular files inside of the folder count, so that a link doesn't hand over a file from elsewhere.
 */

import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

const FILES = ['CLAUDE.md', join('.claude', 'CLAUDE.md')]
/** More than any that is meant to be read. */
const MAX_BYTES = 64 * 1024

/** Each with its name in front; empty where there are none. */
export async function readProjectInstructions(folder: string): Promise<string> {
  const found = await Promise.all(
    FILES.map(async (name) => {
      const text = await readInside(folder, name).catch(() => undefined)
      return text === undefined || text.trim() === ''
        ? []
        : [`Instructions of this project, from ${name}:\n\n${text}`]
    }),
  )
  return found.flat().join('\n\n')
}

async function readInside(folder: string, name: string): Promise<string | undefined> {
  const path = await realpath(join(folder, name))
  if (!path.startsWith((await realpath(folder)) + sep)) return undefined
  // Not a pipe, which nobody may ever write to; and not what a link has become meanwhile.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0))
  try {
    if (!(await file.stat()).isFile()) return undefined
    const buffer = Buffer.alloc(MAX_BYTES + 1)
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
    const text = buffer.subarray(0, Math.min(bytesRead, MAX_BYTES)).toString('utf8')
    return bytesRead > MAX_BYTES
      ? `${text}\n(the rest of this file was left out: it is longer than ${MAX_BYTES} bytes)`
      : text
  } finally {
    await file.close()
  }
}
