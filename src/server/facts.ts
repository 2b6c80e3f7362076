/**
 * Looks up what the policy needs to know of a call: where the paths in its arguments really lead. A link in the
 * workspace that points at our own data folder is seen through here, and a link that is moved between the approval
 * and the claim refuses the claim. Commands are not read for paths here: that takes a parser of their language.
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BanksmanError } from '../core/errors.ts'
import { type JsonValue, pointerStep } from '../core/json.ts'
import type { Facts, PathFact } from '../core/verdict.ts'
import type { JudgedCall } from '../gateway/parts.ts'

/** Arguments that hold a path, by the names that tools give them: there every text counts as one. */
const PATH_ARGUMENT =
  /(?:^|[_-])(?:path|paths|file|files|filename|filenames|dir|dirs|directory|folder|folders|uri|location|root|cwd|target|source|destination|src|dst|dest)$/i
/** Elsewhere, what looks like one: no space, and a slash in it. */
const LOOKS_LIKE_PATH = /^[^\s]*\/[^\s]*$/
const MAX_LENGTH = 4096
/** More than any real call names. A list of a thousand files is better given as their folder. */
const MAX_PATHS = 256

export async function gatherFacts(call: JudgedCall): Promise<Facts | undefined> {
  const found: { pointer: string; path: string }[] = []
  collect(call.arguments, undefined, false, found)
  if (found.length === 0) return undefined
  if (found.length > MAX_PATHS) {
    throw new BanksmanError(
      'invalid_call',
      `the call names ${found.length} paths; at most ${MAX_PATHS} can be looked up. Make several calls, or name a folder`,
    )
  }
  const paths: Record<string, PathFact> = {}
  for (const { pointer, path } of found) {
    if (!isAbsolute(path) && call.cwd === undefined) continue
    paths[pointer] = await resolvePath(resolve(call.cwd ?? '/', path))
  }
  return { paths }
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
