/**
 * Looks up what the policy needs to know of a call: the time, and where the paths in its arguments and in its commands
 * really lead. A link in the workspace that points at our own data folder is seen through here, and a link that is moved
 * between the approval and the claim refuses the claim.
 *
 * What a remote agent says of paths is only its word: they are on a disk that is not ours, so nothing is looked up, and
 * no allow that needs to know where a path leads will hold.
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BanksmanError } from '../core/errors.ts'
import { type JsonValue, pointerStep } from '../core/json.ts'
import type { Facts, PathFact } from '../core/verdict.ts'
import type { JudgedCall, Lookups } from '../policy/index.ts'

/** Arguments that hold a path, by the names that tools give them: there every text counts as one. */
const PATH_ARGUMENT =
  /(?:^|[_-])(?:path|paths|file|files|filename|filenames|dir|dirs|directory|folder|folders|uri|location|root|cwd|target|source|destination|src|dst|dest)$/i
/** Elsewhere, what looks like one: no space, and a slash in it. */
const LOOKS_LIKE_PATH = /^[^\s]*\/[^\s]*$/
const MAX_LENGTH = 4096
/** More than any real call names. A list of a thousand files is better given as their folder. */
const MAX_PATHS = 256

export interface FactsOptions {
  /** What the policy asks for. */
  lookups: (call: JudgedCall) => Lookups
  now: () => number
  /** What `~` stands for. */
  home: string
}

export type GatherFacts = (
  call: JudgedCall,
  /** `lookups`: what another policy asks for. */
  source?: { remote: boolean; lookups?: FactsOptions['lookups'] },
) => Promise<Facts>

export function createFactsGatherer(options: FactsOptions): GatherFacts {
  return async (call, source) => {
    const at = options.now()
    if (source?.remote === true) return { at }
    const wanted = (source?.lookups ?? options.lookups)(call)
    const named = pathsOf(call, wanted.paths)
    // Most calls name nothing, and wait for nothing.
    const cwd = wanted.folder || named.size > 0 ? call.cwd : undefined
    if (named.size === 0 && cwd === undefined && wanted.words.length === 0) return { at }
    const paths = named.size === 0 ? undefined : await resolvePaths(call, named, options.home)
    const folder = cwd === undefined ? undefined : (await resolvePath(cwd)).resolved
    const words = wanted.words.length === 0 ? undefined : await resolveWords(call, wanted.words, options.home)
    return {
      at,
      ...(paths === undefined ? {} : { paths }),
      ...(folder === undefined ? {} : { folder }),
      ...(words === undefined ? {} : { words }),
    }
  }
}

function pathsOf(call: JudgedCall, wanted: Readonly<Record<string, string>>): Map<string, string> {
  const found: { pointer: string; path: string }[] = []
  collect(call.arguments, undefined, false, found)
  const named = new Map(found.map(({ pointer, path }) => [pointer, path]))
  for (const [pointer, path] of Object.entries(wanted)) {
    // Without a folder nothing that is relative can be looked up.
    const local = path === '.' && call.cwd === undefined ? undefined : pathIn(path, true)
    if (local !== undefined) named.set(pointer, local)
  }
  if (named.size <= MAX_PATHS) return named
  throw new BanksmanError(
    'invalid_call',
    `the call names ${named.size} paths; at most ${MAX_PATHS} can be looked up. Make several calls, or name a folder`,
  )
}

async function resolvePaths(
  call: JudgedCall,
  named: ReadonlyMap<string, string>,
  home: string,
): Promise<Record<string, PathFact>> {
  const paths: Record<string, PathFact> = {}
  for (const [pointer, path] of named) {
    const absolute = absoluteOf(path, call.cwd, home)
    if (absolute !== undefined) paths[pointer] = await resolvePath(absolute)
  }
  return paths
}

/** A line may name any number of paths. Those past the limit stay unknown, which allows nothing. */
async function resolveWords(
  call: JudgedCall,
  wanted: readonly string[],
  home: string,
): Promise<Record<string, string>> {
  const words: Record<string, string> = {}
  for (const word of wanted.slice(0, MAX_PATHS)) {
    const absolute =
      word.length > MAX_LENGTH || word.includes('\0') ? undefined : absoluteOf(word, call.cwd, home)
    if (absolute !== undefined) words[word] = (await resolvePath(absolute)).resolved
  }
  return words
}

/** `~ana` is somebody else's home, which only a shell on that machine knows. */
function absoluteOf(path: string, cwd: string | undefined, home: string): string | undefined {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  if (path.startsWith('~')) return undefined
  if (isAbsolute(path)) return resolve(path)
  return cwd === undefined || !isAbsolute(cwd) ? undefined : resolve(cwd, path)
}

/** Where a value stands: made into a pointer only for the few that are paths. */
type Place = { key: string | number; around: Place } | undefined

function collect(
  value: JsonValue,
  place: Place,
  isPath: boolean,
  found: { pointer: string; path: string }[],
): void {
  if (typeof value === 'string') {
    const path = pathIn(value, isPath)
    if (path !== undefined) found.push({ pointer: pointerTo(place), path })
  } else if (Array.isArray(value)) {
    for (const [key, item] of value.entries()) collect(item, { key, around: place }, isPath, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) collect(value[key]!, { key, around: place }, PATH_ARGUMENT.test(key), found)
  }
}

function pointerTo(place: Place): string {
  return place === undefined ? '' : pointerTo(place.around) + pointerStep(place.key)
}

function pathIn(text: string, isPath: boolean): string | undefined {
  // Most texts are neither, and are done with here.
  if (!isPath && !text.includes('/')) return undefined
  if (text === '' || text.length > MAX_LENGTH || text.includes('\0')) return undefined
  if (/^file:\/\//i.test(text)) {
    try {
      return fileURLToPath(text)
    } catch {
      return undefined
    }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  return isPath || LOOKS_LIKE_PATH.test(text) ? text : undefined
}

/** A file that does not exist yet is where its nearest existing folder really is. */
async function resolvePath(path: string): Promise<PathFact> {
  const missing: string[] = []
  for (let at = path; ; at = dirname(at)) {
    try {
      return { resolved: join(await realpath(at), ...missing), exists: missing.length === 0 }
    } catch {
      if (dirname(at) === at) return { resolved: path, exists: false }
      missing.unshift(basename(at))
    }
  }
}
