/**
 * Files held to the workspace by what was really opened. A path that was checked and is then opened by name can lead
 * elsewhere in between: a folder on the way is swapped for a link. So a path is first opened without any effect, then
 * asked where it really is, and all work goes through what is open.
 *
 * On Linux that is `O_PATH` and `/proc/self/fd`. Elsewhere there is no such thing, and what was opened is compared with what
 * its real path leads to: that holds against links, and not against someone who swaps folders at just the right moments.
 */
import { existsSync, constants as fs, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { isProcessPath } from '../../../../core/process/process-path.ts'
import { ToolError } from '../../tool.ts'

/** Something that is there, held open. */
export interface WorkspaceEntry {
  /** Where it really is. */
  readonly real: string
  readonly stats: Stats
  /** A path that leads to this and to nothing else, whatever happens to its names. Not everywhere: see above. */
  readonly through: string
  /** Opens just this, to be read or written. */
  reopen(flags: number): Promise<FileHandle>
  close(): Promise<void>
}

export interface Workspace {
  /** Its real path. */
  readonly root: string
  /** Undefined where there is nothing. Throws where it is outside of the workspace. */
  find(path: string): Promise<WorkspaceEntry | undefined>
  file(path: string): Promise<WorkspaceEntry>
  folder(path: string): Promise<WorkspaceEntry>
  /** The folder that a file with this path is in, made where it is missing, and the file's name in it. */
  placeFor(path: string): Promise<{ folder: WorkspaceEntry; name: string }>
  /** What is in a folder by that name. A link is not followed: it is held as what it is. */
  within(folder: WorkspaceEntry, name: string): Promise<WorkspaceEntry | undefined>
  /** As people and models know a real path in the workspace. */
  nameOf(real: string): string
}

export interface WorkspaceOptions {
  /** Files and folders that are not touched although they are in the workspace: the server's own. */
  keepOut?: () => readonly string[]
  /** Absent: the best that this system has. */
  holding?: 'descriptors' | 'comparison'
}

export async function openWorkspace(path: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  const root = await realpath(path).catch(() => {
    throw new ToolError(`the workspace ${path} is not there`)
  })
  const keptOut = await Promise.all(
    (options.keepOut?.() ?? []).map((one) => realpath(one).catch(() => resolve(one))),
  )
  const hold = (options.holding ?? BEST_HOLDING) === 'descriptors' ? holdByDescriptor : holdByComparison
  const isInside = (real: string) => isBelow(real, root)
  const refuseOwn = (real: string, given: string) => {
    if (!keptOut.some((own) => isBelow(real, own))) return
    throw new ToolError(`${given} belongs to Banksman itself, and no tool touches it`)
  }

  const pin = async (path: string, given: string, follow: boolean): Promise<WorkspaceEntry | undefined> => {
    const held = await hold(path, follow).catch((error) => found(error, given))
    if (held === undefined) return undefined
    try {
      refuseOwn(held.real, given)
      if (isInside(held.real) && !isSystem(held.real) && held.stats.nlink > 0) return held
    } catch (error) {
      await held.close()
      throw error
    }
    await held.close()
    throw new ToolError(`${given} is outside of the workspace; only files and folders in ${root} can be used`)
  }
  const find = async (path: string) => pin(placed(root, path), path, true)

  const workspace: Workspace = {
    root,
    find,
    async file(path) {
      return expectKind(await find(path), path, 'file')
    },
    async folder(path) {
      return expectKind(await find(path), path, 'folder')
    },
    async within(folder, name) {
      const path = join(folder.through, name)
      const held = await pin(path, workspace.nameOf(join(folder.real, name)), false)
      if (held === undefined || dirname(held.real) === folder.real) return held
      await held.close()
      throw new ToolError(`${workspace.nameOf(held.real)} was moved meanwhile`)
    },
    async placeFor(path) {
      const target = placed(root, path)
      const missing: string[] = []
      for (let at = dirname(target); ; at = dirname(at)) {
        let folder = await pin(at, path, true)
        if (folder !== undefined) {
          try {
            refuseOwn(join(folder.real, ...missing, basename(target)), path)
          } catch (error) {
            await folder.close()
            throw error
          }
          for (const name of missing) folder = await childFolder(workspace, folder, name, path)
          return { folder: await expectKind(folder, path, 'folder'), name: basename(target) }
        }
        if (!isInside(dirname(at))) throw new ToolError(`${path} is outside of the workspace`)
        missing.unshift(basename(at))
      }
    },
    nameOf: (real) =>
      real === root ? '.' : isInside(real) ? real.slice(root.length).replace(/^[/\\]/, '') : real,
  }
  return workspace
}

/**
 * Read like the policy reads it: relative to the workspace, steps up taken in the text. What the policy would take for a
 * home folder or an address is not taken for a name here.
 */
function placed(root: string, path: string): string {
  if (path.includes('\0')) throw new ToolError('a path has no NUL character in it')
  if (path.startsWith('~')) {
    throw new ToolError(`${path}: ~ is not read here; write a path in the workspace, or ./~… for such a name`)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw new ToolError(`${path} is an address; write a path`)
  // In the server's own process it means another file than the policy, or a person, could know of.
  if (isProcessPath(path, root)) {
    throw new ToolError(
      `${path} is outside of the workspace: it means another file in each process; write the path of the file itself`,
    )
  }
  return resolve(root, path)
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : folder + sep)
}

const BEST_HOLDING =
  process.platform === 'linux' && existsSync('/proc/self/fd') ? 'descriptors' : 'comparison'

/** `O_PATH` opens nothing that a device, a pipe or a permission could notice. Node has no name for it. */
const O_PATH = 0o10000000

async function holdByDescriptor(path: string, follow: boolean): Promise<WorkspaceEntry> {
  const handle = await open(path, O_PATH | (follow ? 0 : fs.O_NOFOLLOW))
  try {
    const through = `/proc/self/fd/${handle.fd}`
    const [real, stats] = await Promise.all([readlink(through), handle.stat()])
    return { real, stats, through, reopen: (flags) => open(through, flags), close: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function holdByComparison(path: string, follow: boolean): Promise<WorkspaceEntry> {
  const before = follow ? await stat(path) : await lstat(path)
  // Opening anything else could block, or be noticed.
  if (!before.isFile() && !before.isDirectory()) {
    const real = join(await realpath(dirname(path)), basename(path))
    const reopen = () => Promise.reject(new ToolError(`${path} is neither file nor folder`))
    return { real, stats: before, through: real, reopen, close: async () => {} }
  }
  const handle = await open(path, fs.O_RDONLY | fs.O_NONBLOCK | (follow ? 0 : fs.O_NOFOLLOW))
  try {
    const [real, stats] = await Promise.all([realpath(path), handle.stat()])
    if (!isSame(await lstat(real), stats)) throw new ToolError(`${path} was moved meanwhile`)
    return {
      real,
      stats,
      through: real,
      reopen: (flags) => openSame(real, flags, stats),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openSame(real: string, flags: number, stats: Stats): Promise<FileHandle> {
  const handle = await open(real, flags | fs.O_NOFOLLOW)
  if (isSame(await handle.stat(), stats)) return handle
  await handle.close()
  throw new ToolError(`${real} was moved meanwhile`)
}

export function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

/** Nothing there is no fault of its own; the rest is said in words. */
function found(error: unknown, path: string): undefined {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
  if (error instanceof ToolError) throw error
  throw new ToolError(`${path} can't be opened: ${WORDS[code ?? ''] ?? (error as Error).message}`)
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  ELOOP: 'too many links',
  ENAMETOOLONG: 'the name is too long',
}

/** Files that are no files: they make up what is read, and do something when they are written. */
function isSystem(real: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(real)
}

async function expectKind(
  held: WorkspaceEntry | undefined,
  path: string,
  kind: 'file' | 'folder',
): Promise<WorkspaceEntry> {
  if (held === undefined) throw new ToolError(`there is no ${kind} ${path}`)
  const { stats } = held
  if (kind === 'file' ? stats.isFile() : stats.isDirectory()) return held
  await held.close()
  const found = stats.isDirectory()
    ? 'a folder'
    : stats.isFile()
      ? 'a file'
      : 'neither file nor folder of its own'
  throw new ToolError(`${path} is ${found}, and not a ${kind}`)
}

async function childFolder(
  workspace: Workspace,
  parent: WorkspaceEntry,
  name: string,
  path: string,
): Promise<WorkspaceEntry> {
  try {
    await mkdir(join(parent.through, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST')
        throw new ToolError(`${path}: no folder ${name} could be made: ${error.message}`)
    })
    const child = await workspace.within(parent, name)
    return await expectKind(child, path, 'folder')
  } finally {
    await parent.close()
  }
}
