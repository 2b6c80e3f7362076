/**
 * The servers that share a store. Each holds a lease with a note of what it is, so that whoever looks sees who is alive, by
 * the store's own clock. The name is kept in the data folder, which one server uses at a time: one that was killed and
 * started again is the same node at once. The lease is that of the run: a copy of the folder is another server under the
 * same name, and both are seen.
 */
import { z } from 'zod'
import { isBanksmanError } from '../../core/errors.ts'
import type { Lease, LeaseVerbs } from '../../stores/store.ts'
import type { WireNode } from '../../wire/types/node.ts'
import { readIfThere } from '../host/read-file.ts'
import { putFile } from '../host/replace-file.ts'
import type { DataFolder } from '../installation/data-folder.ts'
import { type RepeatedWork, startRepeatedWork } from './repeated-work.ts'

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
  /** Of its process. */
  run: string
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
  /** The name of this process, or the node's own where no other can be on the store: then a run that was killed is replaced. */
  run: string
  /** The run that used the same data folder before: it is over, since this one has the folder's lock. */
  lastRun?: string | undefined
  /** Where the node's name is kept, for whoever has to give a copy another. */
  nodeFile: string
  note: () => NodeNote
  /** Whether other machines can be on the store. Where they can't, nobody looks often. */
  isShared: boolean
  report: (fault: { doing: string; error: unknown }) => void
  say: (line: string) => void
}

const PREFIX = 'node/'
/** Three renewals may fail before a node counts as gone. */
const SHARED = { leaseMs: 30_000, everyMs: 10_000 }
/** Nodes know the store's time from its last reply, and not quite. */
const CLOCK_SLACK_MS = 1000
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
  const { leases, id, run, note, report, say } = options
  const { leaseMs, everyMs } = options.isShared ? SHARED : ALONE
  const held = new Set<string>()
  const name = `${PREFIX}${id}/${run}`
  let said: string[] = []

  async function renew(): Promise<void> {
    await leases.take({ name, holder: run, leaseMs, note: { ...note() } })
    const nodes = await live()
    const skew = describeSkew(nodes).map(({ detail }) => detail)
    const twins = describeTwins(nodes.filter((node) => node.id === id)).map(
      ({ detail, advice }) => `${detail}. ${advice} (here that file is ${options.nodeFile})`,
    )
    const now = [skew.join('; '), ...twins].filter((line) => line !== '')
    for (const line of now) if (!said.includes(line)) say(line)
    said = now
  }
  const live = () => listNodes(leases)

  // One that was killed would be taken for another server. If it lives after all, in a copy of the folder, it takes its lease again.
  if (options.lastRun !== undefined)
    await leases.release(`${PREFIX}${id}/${options.lastRun}`, options.lastRun)
  await renew()
  const work: RepeatedWork = startRepeatedWork({
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
      const own = [[name, run] as const, ...[...held].map((task) => [task, id] as const)]
      for (const [lease, holder] of own) {
        await leases.release(lease, holder).catch((error) => {
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
  if (!read.success) return undefined
  const [id = '', run = id] = name.slice(PREFIX.length).split('/')
  return { ...read.data, id, run, until }
}

/** What is not as it should be among the nodes, and what to do. */
interface NodeTrouble {
  detail: string
  advice: string
}

/** What the nodes should have in common and don't. Of a name that two have, the one that started last. */
export function describeSkew(nodes: readonly LiveNode[]): NodeTrouble[] {
  const last = [...Map.groupBy(nodes, ({ id }) => id).values()].flatMap((runs) => byStart(runs).at(-1) ?? [])
  return [
    {
      detail: told(last, 'version', 'nodes of different versions share the store'),
      advice: 'bring every node to the same version',
    },
    {
      detail: told(
        last,
        'policyVersion',
        'nodes with different policies share the store: what one asks, another may allow',
      ),
      advice: 'bring the same banksman.yaml to every node, and trust it there',
    },
    {
      detail: told(last, 'owner', 'nodes with different owners share the store'),
      advice:
        'write the same owner: into every banksman.yaml; without it the owner is the user that runs the server',
    },
  ].flatMap(({ detail, advice }) => (detail === undefined ? [] : [{ detail, advice }]))
}

/**
 * The names that more than one process has. A folder is used by one server at a time, so an earlier run that told of itself
 * after a later one had begun is no ghost of it: it runs from another folder.
 */
export function describeTwins(nodes: readonly LiveNode[]): (NodeTrouble & { isCertain: boolean })[] {
  return [...Map.groupBy(nodes, ({ id }) => id)].flatMap(([id, unordered]) => {
    const runs = byStart(unordered)
    const latest = runs.at(-1)
    if (latest === undefined || runs.length < 2) return []
    const isCertain = runs
      .slice(0, -1)
      .some(({ until }) => until - SHARED.leaseMs > latest.startedAt + CLOCK_SLACK_MS)
    const urls = runs.map(({ url }) => url).join(' and ')
    return {
      isCertain,
      detail: isCertain
        ? `${runs.length} servers run under the one name ${id} (${urls}): the data folder of one is a copy of another's`
        : `another server runs under the same name ${id} (${urls}): the data folder of one is probably a copy of the other's, or it is this server's last run, killed less than ${SHARED.leaseMs / 1000} s ago, which goes away by itself`,
      advice:
        'Stop the copy, delete the file `node` in its data folder and start it again: it takes a name of its own',
    }
  })
}

function byStart(runs: readonly LiveNode[]): LiveNode[] {
  return runs.toSorted((one, other) => one.startedAt - other.startedAt)
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

/** Made at the first start. The file has it in its first line, and the run that used the folder last in the second. */
export function nodeIdOf(folder: DataFolder, make: () => string): string {
  const [kept = ''] = nodeLines(folder)
  if (/^nod_[0-9a-z]{10,40}$/.test(kept)) return kept
  const made = make()
  putFile(folder.nodeFile, `${made}\n`)
  return made
}

/** Notes which run uses the folder from now on, and returns the one before. */
export function replaceRun(folder: DataFolder, id: string, run: string): string | undefined {
  const [, last] = nodeLines(folder)
  putFile(folder.nodeFile, `${id}\n${run}\n`)
  return last === run ? undefined : last || undefined
}

function nodeLines(folder: DataFolder): string[] {
  return (readIfThere(folder.nodeFile) ?? '').split('\n').map((line) => line.trim())
}

/** As people are told. `self` is the run that answers. */
export function nodesToWire(nodes: readonly LiveNode[], self: string): WireNode[] {
  return nodes.map(({ startedAt, until, run, ...node }) => ({
    ...node,
    startedAt: new Date(startedAt).toISOString(),
    until: new Date(until).toISOString(),
    self: run === self,
  }))
}
