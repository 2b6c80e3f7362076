/**
 * Looks up what the policy needs to know of a call: where the paths in its arguments really lead. A link in the
 * workspace that points at our own data folder is seen through here, and a link that is moved between the approval
 * and the claim refuses the claim.
 */
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { JsonValue } from '../core/json.ts'
import type { Facts, PathFact } from '../core/verdict.ts'
import type { JudgedCall } from '../gateway/parts.ts'

/** Arguments that hold a path, by the names that tools give them. */
const PATH_ARGUMENT =
  /^(?:(?:file|dir|directory|folder|notebook|target|source|destination|src|dst|dest|old|new|output|input)[_-]?)?(?:path|paths|file|files|filename|dir|directory|folder)$/i
const MAX_PATHS = 64

export async function gatherFacts(call: JudgedCall): Promise<Facts | undefined> {
  const found = pathsIn(call.arguments)
  if (found.length === 0) return undefined
  const paths: Record<string, PathFact> = {}
  for (const { pointer, path } of found) {
    if (path.includes('\0')) continue
    if (!isAbsolute(path) && call.cwd === undefined) continue
    paths[pointer] = await resolvePath(resolve(call.cwd ?? '/', path))
  }
  return { paths }
}

function pathsIn(args: { readonly [key: string]: JsonValue }): { pointer: string; path: string }[] {
  const found: { pointer: string; path: string }[] = []
  for (const [key, value] of Object.entries(args)) {
    if (!PATH_ARGUMENT.test(key)) continue
    const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (typeof value === 'string') found.push({ pointer, path: value })
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (typeof item === 'string') found.push({ pointer: `${pointer}/${index}`, path: item })
      }
    }
  }
  return found.slice(0, MAX_PATHS)
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
