/**
 * How far each chain of the journal was when this node last handed out a claim, on the node's own disk. A store in which a chain
 * is shorter is an older one: a backup, an emptied file, another file in its place. What ran since then would run again.
 *
 * The mark is written over in place, in one of two slots at a time: a crash in the middle leaves the other one.
 */
import { existsSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { digestOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ChainWriter } from '../../journal/entry.ts'
import type { JournalVerbs, SettingVerbs, Store } from '../../stores/store.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { DataFolder } from './data-folder.ts'
import type { ServerStore } from './open-server-store.ts'

/** A chain that is shorter than it was. */
export interface ShorterChain {
  chain: string
  known: number
  found: number
}

interface Marked {
  seq: number
  /** The store's time. */
  at: number
  heads: Record<string, number>
}

const SLOT = 8192
/** Of the newest chains: each belongs to one run of one node. */
const MARKED_CHAINS = 64
const LOOK_EVERY_MS = 5000
/** Where it is noted that a person has accepted an older store, for the other nodes on it. */
const ACCEPTED = 'store-accepted'

function markFile(folder: DataFolder, { at }: Pick<ServerStore, 'at'>): string {
  return join(folder.path, 'marks', digestOf(at).slice(0, 16))
}

/**
 * What the store lacks of what this node knows. Empty where nobody knows, or where a person has accepted it since. A mark of another
 * place counts for a store that has one of its chains: a copy of that store, or the same one by another name.
 */
export async function findShorterChains(
  folder: DataFolder,
  stored: {
    at: string
    store: { journal: Pick<JournalVerbs, 'chains'>; settings: Pick<SettingVerbs, 'get'> }
  },
): Promise<ShorterChain[]> {
  const own = markFile(folder, stored)
  const others = marksIn(dirname(own)).filter((file) => file !== own)
  const { journal, settings } = stored.store
  const accepted = Number((await settings.get(ACCEPTED)) ?? 0)
  const lasts = new Map((await journal.chains()).map(({ chain, last }) => [chain, last]))
  return [own, ...others].flatMap((file) => {
    const mark = readMark(file)
    if (mark === undefined || accepted >= mark.at) return []
    const heads = Object.entries(mark.heads)
    if (file !== own && !heads.some(([chain]) => lasts.has(chain))) return []
    return heads.flatMap(([chain, known]) => {
      const found = lasts.get(chain) ?? 0
      return found < known ? [{ chain, known, found }] : []
    })
  })
}

/** Without what a crash left of one that was being put there. */
function marksIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => /^[0-9a-f]{16}$/.test(name))
  return names.map((name) => join(folder, name))
}

function readMark(file: string): Marked | undefined {
  const text = readIfThere(file)
  if (text === undefined) return undefined
  const slots = [text.slice(0, SLOT), text.slice(SLOT)].flatMap(slotIn)
  const [mark] = slots.toSorted((one, other) => other.seq - one.seq)
  if (mark !== undefined) return mark
  throw new BanksmanError('store_corrupt', `${file}, the mark of how far the store was, is damaged`)
}

function slotIn(slot: string): Marked[] {
  const [, digest, text = ''] = /^([0-9a-f]+) (\{.*\})\n/.exec(slot) ?? []
  return digest === digestOf(text) ? [parseJson(text)] : []
}

/** So that the other nodes on the store need not be told again. */
export async function noteAccepted({ settings, now }: Pick<Store, 'settings' | 'now'>): Promise<void> {
  await settings.set(ACCEPTED, now())
}

export interface StoreMark {
  /** Resolves once the disk has a mark that is at least as high as the chain is now. Callers at the same time share a sync. */
  raise(): Promise<void>
  close(): Promise<void>
}

export async function openStoreMark(
  folder: DataFolder,
  { at, store }: Pick<ServerStore, 'at' | 'store'>,
  chain: ChainWriter,
  report: (fault: { doing: string; error: unknown }) => void,
): Promise<StoreMark> {
  const file = markFile(folder, { at })
  let others = await newest()
  // Also where the clock was set back since: what is marked from now on was not accepted.
  const accepted = Number((await store.settings.get(ACCEPTED)) ?? 0)
  let seq = 0
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  putFile(file, nextSlot())
  const handle = await open(file, 'r+')
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  let looking: Promise<void> = Promise.resolve()

  async function newest(): Promise<[string, number][]> {
    const chains = await store.journal.chains()
    return chains.slice(-MARKED_CHAINS).map(({ chain, last }) => [chain, last])
  }

  function nextSlot(): string {
    seq += 1
    const heads = { ...Object.fromEntries(others), [chain.chain]: chain.head().n }
    const text = JSON.stringify({ seq, at: Math.max(store.now(), accepted + 1), heads } satisfies Marked)
    return `${digestOf(text)} ${text}\n`.padEnd(SLOT)
  }

  async function write(): Promise<void> {
    const slot = nextSlot()
    try {
      // The one that was there at the opening stands in the first slot, and has the number 1.
      await handle.write(slot, ((seq + 1) % 2) * SLOT)
      await handle.datasync()
    } catch (cause) {
      throw new BanksmanError('store_unavailable', `the mark in ${file} can't be written`, {}, { cause })
    }
  }

  function begin(): Promise<void> {
    next = undefined
    const mine = write().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    return mine
  }

  function raise(): Promise<void> {
    if (running === undefined) return begin()
    next ??= running.then(begin, begin)
    return next
  }

  /** What other nodes have committed since, so that each of them knows of all. */
  function look(): Promise<void> {
    looking = looking
      .then(async () => {
        const found = await newest()
        if (JSON.stringify(found) === JSON.stringify(others)) return
        others = found
        await raise()
      })
      .catch((error) => report({ doing: 'marking how far the store is', error }))
    return looking
  }

  return {
    raise,
    async close() {
      clearInterval(timer)
      await look()
      await handle.close()
    },
  }
}
