/**
 * The files that `banksman connect` has written to, by its records (P11). People connect agents while a server runs, so the folder of
 * records is looked at again when a call is judged, at most four times a second.
 *
 * Read here without a schema: a record of another version protects its files too, and a program that has a gateway inside it loads no
 * more than it needs.
 */
import { readdirSync, statSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ConnectedFile } from '../../policy/agent-files/agent-table.ts'
import { realPath } from '../facts/real-path.ts'
import { MAX_GROWN_BYTES, readIfThere } from '../host/read-file.ts'

export interface ConnectedFiles {
  current(): readonly ConnectedFile[]
  /** Looks at the records again, unless the last look was just now; true when they name other files than before. */
  refresh(): boolean
}

/** What was written this long ago may be written again without another time on it. */
const SAME_TIME_MS = 100

const LOOK_EVERY_MS = 250

export function followConnectedFiles(
  personalFolder: string,
  now: () => number = () => performance.now(),
): ConnectedFiles {
  const folder = join(personalFolder, 'connections')
  let files: readonly ConnectedFile[] = []
  let seen: number | undefined
  let lookAgainAt = Number.NEGATIVE_INFINITY
  const refresh = () => {
    const time = now()
    if (time < lookAgainAt) return false
    lookAgainAt = time + LOOK_EVERY_MS
    const at = timeOf(folder)
    if (at === seen) return false
    const before = JSON.stringify(files)
    const { found, areAllRead } = readRecords(folder)
    // A record that can't be read takes no protection away.
    files = areAllRead
      ? found
      : [...files, ...found.filter((one) => !files.some((other) => isSame(one, other)))]
    seen = !areAllRead || Date.now() - Number(at) < SAME_TIME_MS ? undefined : at
    return JSON.stringify(files) !== before
  }
  refresh()
  return { current: () => files, refresh }
}

/** Zero: there is no such folder. */
function timeOf(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function readRecords(folder: string): { found: ConnectedFile[]; areAllRead: boolean } {
  const found: ConnectedFile[] = []
  let areAllRead = true
  const names = unlessGone(() => readdirSync(folder)) ?? []
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    try {
      const text = readIfThere(join(folder, name), MAX_GROWN_BYTES)
      if (text !== undefined) found.push(...filesIn(parseJson(text)))
    } catch {
      areAllRead = false
    }
  }
  return { found, areAllRead }
}

function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function isSame(one: ConnectedFile, other: ConnectedFile): boolean {
  return one.agent === other.agent && one.path === other.path && one.holds === other.holds
}

interface AnyRecord {
  agent?: unknown
  files?: { path?: unknown }[]
  entries?: { client?: unknown; file?: unknown; project?: unknown }[]
}

function filesIn(record: unknown): ConnectedFile[] {
  const { agent, files = [], entries = [] } = record as AnyRecord
  return [
    ...files.flatMap(({ path }) => bothWays(agent, path, 'user', 'hooks')),
    ...entries.flatMap(({ client, file, project }) => {
      const isOfProject = `${file}`.startsWith(`${project}${sep}`)
      return bothWays(client, file, isOfProject ? 'project' : 'user', 'mcp')
    }),
  ]
}

function bothWays(
  agent: unknown,
  path: unknown,
  level: ConnectedFile['level'],
  holds: ConnectedFile['holds'],
): ConnectedFile[] {
  if (typeof agent !== 'string' || typeof path !== 'string' || !isAbsolute(path)) return []
  return [...new Set([path, realPath(path)])].map((one) => ({ agent, path: one, level, holds }))
}
