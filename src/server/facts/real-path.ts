import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/** With links followed. A path that isn't there yet is below its nearest existing folder, wherever that really is. */
export function realPath(given: string): string {
  const path = resolve(given)
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
  }
}
