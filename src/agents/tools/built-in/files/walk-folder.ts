/** Goes through a folder of the workspace and those in it, in the order of names. Links are told of and not followed. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../../tool.ts'
import type { Workspace, WorkspaceEntry } from './workspace.ts'

export interface FolderEntry {
  /** From the folder where it began, with slashes. */
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Of a file, where sizes were asked for. */
  size: number
  /** Opens it, for who wants to read it. Undefined where it is gone or another meanwhile. */
  hold(): Promise<WorkspaceEntry | undefined>
}

export interface WalkOptions {
  depth: number
  signal: AbortSignal
  sizes?: boolean
  /** Folders that are not gone into, by their name. */
  skip?: ReadonlySet<string>
}

/** More in one folder are not sorted, and a model could not read them. */
const MAX_IN_FOLDER = 100_000

export async function* walkFolder(
  workspace: Workspace,
  folder: WorkspaceEntry,
  options: WalkOptions,
  prefix = '',
): AsyncGenerator<FolderEntry> {
  const entries = await readdir(folder.through, { withFileTypes: true })
  if (entries.length > MAX_IN_FOLDER) {
    throw new ToolError(
      `${workspace.nameOf(folder.real)} has ${entries.length} entries, which is too many to go through`,
    )
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    options.signal.throwIfAborted()
    const hold = () => workspace.within(folder, entry.name).catch(() => undefined)
    const kind = entry.isDirectory()
      ? 'folder'
      : entry.isFile()
        ? 'file'
        : entry.isSymbolicLink()
          ? 'link'
          : 'other'
    const name = prefix + entry.name
    const size = kind === 'file' && options.sizes === true ? await sizeOf(hold) : 0
    yield { name, kind, size, hold }
    if (kind !== 'folder' || options.depth <= 1 || options.skip?.has(entry.name) === true) continue
    const inner = await hold()
    if (inner === undefined) continue
    try {
      if (!inner.stats.isDirectory()) continue
      yield* walkFolder(workspace, inner, { ...options, depth: options.depth - 1 }, join(name, '/'))
    } finally {
      await inner.close()
    }
  }
}

async function sizeOf(hold: () => Promise<WorkspaceEntry | undefined>): Promise<number> {
  const held = await hold()
  await held?.close()
  return held?.stats.size ?? 0
}
