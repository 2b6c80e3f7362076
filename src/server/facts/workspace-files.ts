/**
 * Reads files of the workspace, so that a change can be shown where it will be made. Nothing outside the folders that
 * agents work in is read: whoever may decide a call must not get to see any file of this machine by having one named.
 *
 * What counts is where the file that was opened really is, not what its path said a moment before: a folder on the way
 * can be swapped for a link at any time. So it is held like the files of the agent's own tools.
 */
import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { WorkspaceEntry, WorkspaceOptions } from '../../agents/tools/built-in/files/workspace.ts'

/** More than this nobody reads beside a change. */
const LARGEST = 256 * 1024

/** The path must be absolute, with its links followed. Undefined for whatever is not a text of the workspace. */
export type ReadText = (path: string) => Promise<string | undefined>

export function createTextReader(
  folders: () => readonly (string | undefined)[],
  options: Pick<WorkspaceOptions, 'holding'> = {},
): ReadText {
  return async (path) => {
    for (const folder of folders()) {
      const held = folder === undefined ? undefined : await hold(path, folder, options)
      if (held === undefined) continue
      try {
        return await textIn(held)
      } finally {
        await held.close()
      }
    }
    return undefined
  }
}

async function hold(
  path: string,
  folder: string,
  options: Pick<WorkspaceOptions, 'holding'>,
): Promise<WorkspaceEntry | undefined> {
  // With the first file: most gateways never show one.
  const { openWorkspace } = await import('../../agents/tools/built-in/files/workspace.ts')
  const held = await openWorkspace(folder, options)
    .then((workspace) => workspace.find(path))
    .catch(() => undefined)
  // A link that has come there since leads to another file than the one that the policy was asked about.
  if (held === undefined || held.real === path) return held
  await held.close()
  return undefined
}

async function textIn(held: WorkspaceEntry): Promise<string | undefined> {
  const { size } = held.stats
  if (!held.stats.isFile() || size > LARGEST) return undefined
  const file = await held.reopen(constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return textOf(await readUpTo(file, size))
  } finally {
    await file.close()
  }
}

async function readUpTo(file: FileHandle, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  const { bytesRead } = await file.read(bytes, 0, size, 0)
  return bytes.subarray(0, bytesRead)
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
