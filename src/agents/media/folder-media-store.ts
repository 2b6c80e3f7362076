/**
 * The media shelf in a folder. An item is two files, its bytes and what is known of it, in a folder named after the
 * session: who asks in another session looks in another folder. Only the server's own user can read them.
 */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaItem } from '../../core/conversation.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { MediaStore } from './media-store.ts'
import { MAX_ITEMS, prepareMedia } from './prepare-media.ts'

export interface FolderMediaStore extends MediaStore {
  /** Erases what was put there longer ago than this; how many that were. */
  eraseOlderThan(ageMs: number): Promise<number>
}

export function createFolderMediaStore(
  folder: string,
  { now = Date.now }: { now?: () => number } = {},
): FolderMediaStore {
  /** One at a time in a session, so that two at once can't both be the last that fits. */
  const queues = new Map<string, Promise<unknown>>()
  const inTurn = async <T>(place: string, work: () => Promise<T>): Promise<T> => {
    const turn = (queues.get(place) ?? Promise.resolve()).then(work)
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (queues.get(place) === settled) queues.delete(place)
      })
    queues.set(place, settled)
    return turn
  }

  return {
    async put(session, content) {
      const { item, data } = prepareMedia(content)
      const place = placeOf(folder, session)
      await inTurn(place, () => keep(place, session, item, data, now()))
      return item
    },

    async get(session, id) {
      if (!ID.test(id)) return undefined
      const place = placeOf(folder, session)
      try {
        const known = parseJson<KnownMedia>(await readFile(join(place, `${id}.json`), 'utf8'))
        if (known.session !== session || known.item.id !== id) return undefined
        return { item: known.item, data: new Uint8Array(await readFile(join(place, id))) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },

    async eraseOlderThan(ageMs) {
      let erased = 0
      for (const session of await namesIn(folder)) {
        if (!/^[0-9a-f]{64}$/.test(session)) continue
        const place = join(folder, session)
        erased += await inTurn(place, () => eraseIn(place, now() - ageMs))
      }
      return erased
    },
  }
}

interface KnownMedia {
  session: string
  item: MediaItem
  at: number
}

const ID = /^[0-9a-f]{32}$/

/** Sessions are named by whoever talks; their names must not become paths. */
function placeOf(folder: string, session: string): string {
  return join(folder, createHash('sha256').update(session).digest('hex'))
}

async function keep(
  place: string,
  session: string,
  item: MediaItem,
  data: Uint8Array,
  at: number,
): Promise<void> {
  await mkdir(place, { recursive: true, mode: 0o700 })
  const kept = (await namesIn(place)).filter((name) => name.endsWith('.json'))
  if (kept.length >= MAX_ITEMS) {
    throw reasonedError('too_large', reasonOf('media.many', { count: kept.length, limit: MAX_ITEMS }))
  }
  const known: KnownMedia = { session, item, at }
  // What is known of it comes last: an item is there only when it is whole.
  await writeAtOnce(join(place, item.id), data)
  await writeAtOnce(join(place, `${item.id}.json`), JSON.stringify(known))
}

/** What a crash left half-written goes by the same time, and so does a folder in which nothing is left. */
async function eraseIn(place: string, before: number): Promise<number> {
  let erased = 0
  for (const name of await namesIn(place)) {
    const [id = ''] = name.split('.', 1)
    const at = ID.test(id) ? (await stat(join(place, name)).catch(() => undefined))?.mtimeMs : undefined
    if (at === undefined || at > before) continue
    await rm(join(place, name), { force: true })
    if (name === id) erased++
  }
  await rmdir(place).catch(() => {})
  return erased
}

async function writeAtOnce(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}`
  await writeFile(temporary, content, { mode: 0o600, flag: 'wx' })
  await rename(temporary, path)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
