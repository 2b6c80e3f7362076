/**
 * Where a path really leads, step by step as the system goes: a link is followed where it stands, and `..` is taken
 * from where the link led. Two kinds of path lead nowhere that can be told beforehand:
 *
 * - one that goes through a process (`/proc/self/cwd`, `/dev/fd`), by its text, at any step, or behind a link: it
 *   means another file for us than for whoever will use it;
 * - one in which `..` follows a link: the system goes up from where the link leads, while many programs simplify the
 *   text first and come to another place.
 *
 * For those it is said where they may lead, as far as that can be told, so that nothing of ours is reached so.
 */
import type { Stats } from 'node:fs'
import { lstat, readlink, realpath, statfs } from 'node:fs/promises'
import { basename, dirname, join, normalize, resolve, sep } from 'node:path'
import { processMeanings } from '../../core/process/process-meaning.ts'
import { isProcessPath } from '../../core/process/process-path.ts'
import type { PathFact } from '../../core/verdict.ts'

export type Resolved = PathFact | { readonly unsure: readonly string[] }

/** The path must be absolute. `folders`: where a process may be working. */
export type ResolvePath = (path: string) => Promise<Resolved>

/** For one call: what was looked at once is not looked at again. */
export function createPathResolver(folders: readonly string[]): ResolvePath {
  const disk = createDisk()
  return async (path) => {
    if (sep === '\\') return resolveOnWindows(path)
    if (!path.includes('..') && !isProcessPath(path)) {
      const plain = withoutSlash(path)
      // What is real as it stands goes through no link.
      if ((await realpath(plain).catch(() => undefined)) === plain) return { resolved: plain, exists: true }
    }
    const found = await follow(path, disk)
    const simple = path.includes('..') ? await follow(normalize(path), disk) : found
    if (found.kind === 'real' && simple.kind === 'real' && same(found, simple))
      return { resolved: simple.path, exists: simple.exists }
    const places = new Set<string>()
    for (const one of [found, simple])
      for (const place of await placesOf(one, folders, disk, 0)) places.add(place)
    return { unsure: [...places].sort() }
  }
}

/** What was seen at a path, and below it. Names are looked up one by one: whole paths, thousands of them, fill the memory. */
interface DiskPlace {
  readonly path: string
  readonly up: DiskPlace | undefined
  readonly below: Map<string, DiskPlace>
  stats?: ReturnType<typeof look>
}

interface Disk {
  readonly top: DiskPlace
  /** Whether so many more steps may be taken for this call. */
  hasLeft(steps: number): boolean
  /** Whether a folder is of the file system that processes are in, whatever it is called. */
  isOfProcesses(folder: string, device: number): Promise<boolean>
}

/**
 * For all paths of a call. Ordinary ones take ten or twenty each; a path may have two thousand names, and a call hundreds of
 * such paths. What lies beyond is unknown.
 */
const MAX_STEPS = 20_000

const PROC_SUPER_MAGIC = 0x9fa0

function createDisk(): Disk {
  let steps = MAX_STEPS
  const devices = new Map<number, Promise<boolean>>()
  return {
    top: { path: '/', up: undefined, below: new Map() },
    hasLeft(more) {
      steps -= more
      return steps >= 0
    },
    isOfProcesses(folder, device) {
      const found =
        devices.get(device) ??
        statfs(folder).then(
          ({ type }) => type === PROC_SUPER_MAGIC,
          () => true,
        )
      devices.set(device, found)
      return found
    },
  }
}

/** Undefined where there is nothing; `unknown` where it can't be told. */
function look(place: DiskPlace): Promise<Stats | 'unknown' | undefined> {
  place.stats ??= lstat(place.path).catch((error) => nothing(error))
  return place.stats
}

function placeBelow(folder: DiskPlace, name: string): DiskPlace {
  const known = folder.below.get(name)
  if (known !== undefined) return known
  const path = folder.path === '/' ? `/${name}` : `${folder.path}/${name}`
  const place: DiskPlace = { path, up: folder, below: new Map() }
  folder.below.set(name, place)
  return place
}

function nothing(error: NodeJS.ErrnoException): 'unknown' | undefined {
  return error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : 'unknown'
}

type FollowedPath =
  | { readonly kind: 'real'; readonly path: string; readonly exists: boolean; readonly isBroken: boolean }
  /** It goes through a process, or can't be looked at: the path at that step, with what follows. */
  | { readonly kind: 'unknown'; readonly path: string }

/** A step up from what is not there leads nowhere, and then only the text can be meant. */
function same(found: FollowedPath & { kind: 'real' }, simple: FollowedPath & { kind: 'real' }): boolean {
  return found.isBroken || found.path === simple.path
}

/** As many as Linux follows. */
const MAX_LINKS = 40

async function follow(path: string, disk: Disk): Promise<FollowedPath> {
  if (isProcessPath(path)) return { kind: 'unknown', path }
  const pending = path.split('/').reverse()
  let at = disk.top
  // Names below a place that is not there: nothing is there either, and nobody need look.
  const missing: string[] = []
  let exists = true
  let isBroken = false
  for (let links = 0; pending.length > 0; ) {
    const name = pending.pop()!
    if (!disk.hasLeft(1)) return { kind: 'unknown', path: rest(join(at.path, ...missing, name), pending) }
    if (name === '' || name === '.') continue
    if (name === '..') {
      isBroken ||= !exists
      if (missing.length > 0) missing.pop()
      else at = at.up ?? at
      continue
    }
    if (missing.length > 0) {
      missing.push(name)
      continue
    }
    const next = placeBelow(at, name)
    const stats: Stats | 'unknown' | undefined = await look(next)
    if (stats === 'unknown') return { kind: 'unknown', path: rest(next.path, pending) }
    exists = stats !== undefined
    if (stats === undefined) {
      missing.push(name)
      continue
    }
    if (!stats.isSymbolicLink()) {
      at = next
      continue
    }
    if (++links > MAX_LINKS || (await disk.isOfProcesses(at.path, stats.dev)))
      return { kind: 'unknown', path: rest(next.path, pending) }
    const target = await readlink(next.path).catch(() => undefined)
    if (target === undefined) return { kind: 'unknown', path: rest(next.path, pending) }
    const written = rest(target.startsWith('/') ? target : join(at.path, '/') + target, pending)
    if (isProcessPath(written)) return { kind: 'unknown', path: written }
    if (target.startsWith('/')) at = disk.top
    pending.push(...target.split('/').reverse())
  }
  return { kind: 'real', path: join(at.path, ...missing), exists, isBroken }
}

function rest(path: string, pending: readonly string[]): string {
  return [path, ...pending.toReversed()].join('/')
}

const MAX_DEPTH = 4
/** Working out what a path through a process may mean takes as long as so many looks at a name. */
const STEPS_A_MEANING = 20

async function placesOf(
  found: FollowedPath,
  folders: readonly string[],
  disk: Disk,
  depth: number,
): Promise<string[]> {
  if (found.kind === 'real') return [found.path]
  if (!disk.hasLeft(STEPS_A_MEANING) || !isProcessPath(found.path)) return [normalize(found.path)]
  const written = processMeanings(found.path).flatMap((meaning) => {
    if (meaning.kind === 'absolute') return [meaning.path]
    if (meaning.kind === 'folder') return folders.map((folder) => [folder, ...meaning.tail].join('/'))
    return []
  })
  const places: string[] = []
  // A process that is named by its number is the same for everyone: where it leads now can be seen.
  if (!/^\/+(?:proc\/+(?:thread-)?self|dev)\b/.test(found.path)) {
    const now = await realpath(found.path).catch(() => undefined)
    if (now !== undefined) places.push(now)
  }
  if (depth >= MAX_DEPTH) return places
  for (const path of new Set(written)) {
    for (const form of new Set([path, normalize(path)]))
      places.push(...(await placesOf(await follow(form, disk), folders, disk, depth + 1)))
  }
  return places
}

function withoutSlash(path: string): string {
  const plain = path.includes('//') || path.includes('/./') ? normalize(path) : path
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain
}

/** There no path goes through a process, and every program simplifies `..` first. */
async function resolveOnWindows(path: string): Promise<PathFact> {
  const missing: string[] = []
  for (let at = resolve(path); ; at = dirname(at)) {
    const real = await realpath(at).catch(() => undefined)
    if (real !== undefined) return { resolved: join(real, ...missing), exists: missing.length === 0 }
    if (dirname(at) === at) return { resolved: resolve(path), exists: false }
    missing.unshift(basename(at))
  }
}
