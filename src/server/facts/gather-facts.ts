/**
 * Looks up what the policy needs to know of a call: the time, and where the paths in its arguments and in its commands
 * really lead. A link in the workspace that points at our own data folder is seen through here, and a link that is moved
 * between the approval and the claim refuses the claim. A path that leads elsewhere for each process has no fact, only
 * the places that it may lead to.
 *
 * What a remote agent says of paths is only its word: they are on a disk that is not ours, so nothing is looked up, and
 * no allow that needs to know where a path leads will hold.
 */

import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { isProcessPath } from '../../core/process/process-path.ts'
import type { Facts, PathFact } from '../../core/verdict.ts'
import type { JudgedCall, Lookups } from '../../policy/policy.ts'
import { findAbsentPaths } from './absent-paths.ts'
import { findHosts } from './find-hosts.ts'
import { findIgnoredFolders } from './ignored-folders.ts'
import { createPathResolver, type ResolvePath } from './resolve-path.ts'

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
    const ignored = wanted.ignored === undefined ? [] : await findIgnoredFolders(wanted.ignored, process.env)
    const absent = wanted.denied === undefined ? [] : await findAbsentPaths(wanted.denied)
    const known = {
      at,
      ...(ignored.length === 0 ? {} : { ignored }),
      ...(absent.length === 0 ? {} : { absent }),
    }
    if (named.size === 0 && cwd === undefined && wanted.words.length === 0 && wanted.hosts === undefined)
      return known
    const folders = [call.cwd, options.home, process.cwd()].filter(
      (one): one is string => one !== undefined && isAbsolute(one) && !isProcessPath(one),
    )
    const look: Looking = {
      call,
      home: options.home,
      resolve: createPathResolver(folders),
      unsure: new Set(),
    }
    const paths = named.size === 0 ? undefined : await resolvePaths(named, look)
    const folder = cwd === undefined ? undefined : await placeOf(cwd, look)
    const words = wanted.words.length === 0 ? undefined : await resolveWords(wanted.words, look)
    const hosts =
      wanted.hosts === undefined
        ? undefined
        : await findHosts(wanted.hosts, options.home, async (path) => (await placeOf(path, look))?.resolved)
    return {
      ...known,
      ...defined({ paths, folder: folder?.resolved, words, hosts }),
      ...(look.unsure.size === 0 ? {} : { unsure: [...look.unsure].sort() }),
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
    // What the policy asks for is all that counts there: where the text leads, taken for a path, says nothing of a pattern.
    else named.delete(pointer)
  }
  if (named.size <= MAX_PATHS) return named
  throw new BanksmanError(
    'invalid_call',
    `the call names ${named.size} paths; at most ${MAX_PATHS} can be looked up. Make several calls, or name a folder`,
  )
}

interface Looking {
  readonly call: JudgedCall
  readonly home: string
  readonly resolve: ResolvePath
  /** Where paths may lead of which it is not known. */
  readonly unsure: Set<string>
}

/** Undefined where it can't be told beforehand where the path leads. */
async function placeOf(
  path: string,
  { call, home, resolve, unsure }: Looking,
): Promise<PathFact | undefined> {
  const absolute = absoluteOf(path, call.cwd, home)
  if (absolute === undefined) return undefined
  const found = await resolve(absolute)
  if ('resolved' in found) return found
  for (const place of found.unsure) unsure.add(place)
  return undefined
}

async function resolvePaths(
  named: ReadonlyMap<string, string>,
  look: Looking,
): Promise<Record<string, PathFact>> {
  const paths: Record<string, PathFact> = {}
  for (const [pointer, path] of named) {
    const place = await placeOf(path, look)
    if (place !== undefined) paths[pointer] = place
  }
  return paths
}

/** A line may name any number of paths. Those past the limit stay unknown, which allows nothing. */
async function resolveWords(wanted: readonly string[], look: Looking): Promise<Record<string, string>> {
  const words: Record<string, string> = {}
  for (const word of wanted.slice(0, MAX_PATHS)) {
    if (word.length > MAX_LENGTH || word.includes('\0')) continue
    const place = await placeOf(word, look)
    if (place !== undefined) words[word] = place.resolved
  }
  return words
}

/**
 * Put together and not simplified: a link may stand before a `..`. `~ana` is somebody else's home, which only a shell on
 * that machine knows.
 */
function absoluteOf(path: string, cwd: string | undefined, home: string): string | undefined {
  if (path === '~' || path.startsWith('~/')) return home + path.slice(1)
  if (path.startsWith('~')) return undefined
  if (isAbsolute(path)) return path
  return cwd === undefined || !isAbsolute(cwd) ? undefined : `${cwd}/${path}`
}

/** Where a value stands: made into a pointer only for the few that are paths. */
type ArgumentPosition = { key: string | number; around: ArgumentPosition } | undefined

function collect(
  value: JsonValue,
  place: ArgumentPosition,
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

function pointerTo(place: ArgumentPosition): string {
  return place === undefined ? '' : pointerTo(place.around) + pointerStep(place.key)
}

function pathIn(text: string, isPath: boolean): string | undefined {
  // Most texts are neither, and are done with here.
  if (!isPath && !text.includes('/')) return undefined
  if (text === '' || text.length > MAX_LENGTH || text.includes('\0')) return undefined
  if (/^file:\//i.test(text)) return fileOf(text)
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  return isPath || LOOKS_LIKE_PATH.test(text) ? text : undefined
}

/** Not simplified, as an address would be: some programs only take the scheme away. */
function fileOf(address: string): string | undefined {
  try {
    const path = fileURLToPath(address)
    const written = decodeURIComponent(address.replace(/^file:(?:\/\/[^/]*(?=\/))?|[?#].*$/gis, ''))
    return written.includes('..') ? written : path
  } catch {
    return undefined
  }
}
