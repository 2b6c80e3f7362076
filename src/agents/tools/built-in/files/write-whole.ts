/** Puts a whole file in its place at once: who reads it sees the old one or the new one, never half of one. */
import { randomBytes } from 'node:crypto'
import { constants as fs, type Stats } from 'node:fs'
import { open, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { ToolError } from '../../tool.ts'
import { isSame, type Workspace, type WorkspaceEntry } from './workspace.ts'

/**
 * `before` is the file that is replaced; it keeps its place, where its name was a link too, and its mode. Without it
 * something must not be there yet. Where another file has come to stand there meanwhile, nothing is written.
 */
export async function writeWhole(
  workspace: Workspace,
  path: string,
  content: string | Uint8Array,
  before: WorkspaceEntry | undefined,
): Promise<{ real: string }> {
  const { folder, name } = await workspace.placeFor(before === undefined ? path : before.real)
  const temporary = join(folder.through, `.${name.slice(0, 100)}.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const real = join(folder.real, name)
    if (before !== undefined && (dirname(before.real) !== folder.real || basename(before.real) !== name)) {
      throw new ToolError(`${path} was moved meanwhile; nothing was written`)
    }
    const mode = before === undefined ? 0o666 : 0o600
    const file = await open(temporary, fs.O_WRONLY | fs.O_CREAT | fs.O_EXCL | fs.O_NOFOLLOW, mode)
    try {
      await expectIn(workspace, folder, basename(temporary), await file.stat(), path)
      await file.writeFile(content)
      if (before !== undefined) {
        const { uid, gid, mode } = before.stats
        const made = await file.stat()
        if (made.uid !== uid || made.gid !== gid) await file.chown(uid, gid).catch(() => {})
        await file.chmod(mode & 0o777)
      }
      await file.sync()
      await expectSame(workspace, folder, name, before, path)
      await rename(temporary, join(folder.through, name))
    } catch (error) {
      await unlink(temporary).catch(() => {})
      throw error
    } finally {
      await file.close()
    }
    return { real }
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw new ToolError(`${path} could not be written: ${(error as Error).message}`, { cause: error })
  } finally {
    await folder.close()
  }
}

/** Where folders can't be held, this is where it shows that the folder is another by now. */
async function expectIn(
  workspace: Workspace,
  folder: WorkspaceEntry,
  name: string,
  made: Stats,
  path: string,
): Promise<void> {
  const there = await workspace.within(folder, name)
  await there?.close()
  if (there === undefined || !isSame(there.stats, made)) throw new ToolError(`${path} was moved meanwhile`)
}

async function expectSame(
  workspace: Workspace,
  folder: WorkspaceEntry,
  name: string,
  before: WorkspaceEntry | undefined,
  path: string,
): Promise<void> {
  const now = await workspace.within(folder, name)
  await now?.close()
  if (before === undefined ? now === undefined : now !== undefined && isUnchanged(before, now)) return
  throw new ToolError(`${path} was changed by someone else meanwhile; nothing was written. Read it again`)
}

function isUnchanged({ stats: a }: WorkspaceEntry, { stats: b }: WorkspaceEntry): boolean {
  return isSame(a, b) && a.size === b.size && a.mtimeMs === b.mtimeMs
}
