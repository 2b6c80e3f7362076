/**
 * The servers that share a store. Each holds a lease with a note of what it is, so that whoever looks sees who is alive, by
 * the store's own clock. The name is kept in the data folder, which one server uses at a time: one that was killed and
 * started again is the same node at once, and does not stand beside its own ghost.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { isBanksmanError } from '../core/errors.ts'
import type { WireNode } from '../core/wire-record.ts'
import type { Lease, LeaseVerbs } from '../stores/store.ts'
import type { DataFolder } from './data-folder.ts'
import { type RepeatedWork, repeat } from './repeated-work.ts'

/** What a node says of itself. */
export interface NodeNote {
  url: string
  version: string
  policyVersion: string
  owner: string
  startedAt: number
}

export interface LiveNode extends NodeNote {
  id: string
  until: number
}

export interface Nodes {
  readonly id: string
  /** Those that are alive, this one among them, by name. */
  live(): Promise<LiveNode[]>
  /** Tells the others what has changed. */
  renew(): Promise<void>
  /** Does it if no other node does it now. The lease is kept for `leaseMs`: until then it is nobody else's. */
  asOnlyOne(task: string, leaseMs: number, work: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export interface NodesOptions {
  leases: LeaseVerbs
  id: string
  note: () => NodeNote
  /** Whether other machines can be on the store. Where they can't, nobody looks often. */
  isShared: boolean
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}

const PREFIX = 'node/'
/** Three renewals may fail before a node counts as gone. */
const SHARED = { leaseMs: 30_000, everyMs: 10_000 }
const ALONE = { leaseMs: 600_000, everyMs: 180_000 }

const noteSchema = z.object({
  url: z.string(),
  version: z.string(),
  policyVersion: z.string(),
  owner: z.string(),
  startedAt: z.number(),
})

/** Resolves when the node is known to the others. */
export async function joinNodes(options: NodesOptions): Promise<Nodes> {
  const { leases, id, note, report, say } = options
  const { leaseMs, everyMs } = options.isShared ? SHARED : ALONE
  const held = new Set<string>()
  let said = ''

  async function renew(): Promise<void> {
    await leases.take({ name: PREFIX + id, holder: id, leaseMs, note: { ...note() } })
    const skew = describeSkew(await live()).join('; ')
    if (skew !== said && skew !== '') say(skew)
    said = skew
  }
  const live = () => listNodes(leases)

  await renew()
  const work: RepeatedWork = repeat({
    doing: 'telling other nodes of this one',
    everyMs,
    work: renew,
    report,
  })
  return {
    id,
    live,
    renew: work.now,
    async asOnlyOne(task, taskMs, does) {
      const lease = await leases.take({ name: task, holder: id, leaseMs: taskMs })
      if (lease.holder !== id) return
      held.add(task)
      await does()
    },
    async close() {
      await work.stop()
      for (const name of [PREFIX + id, ...held]) {
        await leases.release(name, id).catch((error) => {
          // It ends by itself.
          if (!isBanksmanError(error)) throw error
        })
      }
    },
  }
}

export async function listNodes(leases: Pick<LeaseVerbs, 'list'>): Promise<LiveNode[]> {
  return (await leases.list(PREFIX)).flatMap((lease) => nodeOf(lease) ?? [])
}

function nodeOf({ name, note, until }: Lease): LiveNode | undefined {
  const read = noteSchema.safeParse(note)
  return read.success ? { ...read.data, id: name.slice(PREFIX.length), until } : undefined
}

/** What the nodes should have in common and don't, a sentence each. */
export function describeSkew(nodes: readonly LiveNode[]): string[] {
  return [
    told(nodes, 'version', 'nodes of different versions share the store'),
    told(
      nodes,
      'policyVersion',
      'nodes with different policies share the store: what one asks, another may allow',
    ),
    told(nodes, 'owner', 'nodes with different owners share the store; set owner: in the configuration'),
  ].flatMap((sentence) => sentence ?? [])
}

function told(
  nodes: readonly LiveNode[],
  member: 'version' | 'policyVersion' | 'owner',
  what: string,
): string | undefined {
  const groups = Map.groupBy(nodes, (node) => node[member])
  if (groups.size < 2) return undefined
  const parts = [...groups].map(
    ([value, those]) => `${value.slice(0, 12)} on ${those.map(nameOf).join(', ')}`,
  )
  return `${what} (${parts.join('; ')})`
}

function nameOf({ id, url }: LiveNode): string {
  return `${id} (${url})`
}

/** Made at the first start. */
export function nodeIdOf(folder: DataFolder, make: () => string): string {
  try {
    const kept = readFileSync(folder.nodeFile, 'utf8').trim()
    if (/^nod_[0-9a-z]{10,40}$/.test(kept)) return kept
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = make()
  writeFileSync(folder.nodeFile, `${made}\n`, { mode: 0o600 })
  return made
}

/** As people are told. */
export function nodesToWire(nodes: readonly LiveNode[], self: string): WireNode[] {
  return nodes.map(({ startedAt, until, ...node }) => ({
    ...node,
    startedAt: new Date(startedAt).toISOString(),
    until: new Date(until).toISOString(),
    self: node.id === self,
  }))
}
