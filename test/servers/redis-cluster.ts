/** Real Redis servers on loopback that are one cluster: each holds a part of the slots, and knows who holds the others. */
import { openRedisLink, type RedisLink, type RedisReply } from '../../src/stores/redis/database/link.ts'
import { until } from '../fixtures/until.ts'
import { freePort } from './free-port.ts'
import { type RedisServer, startRedis } from './redis.ts'

export interface RedisClusterNode extends RedisServer {
  readonly id: string
  send(...parameters: string[]): Promise<RedisReply>
}

export interface RedisCluster {
  readonly nodes: readonly RedisClusterNode[]
  slotOf(key: string): Promise<number>
  /** Who holds it by the word of the first node. */
  homeOf(key: string): Promise<RedisClusterNode>
  /** With all its keys, as an operator would. */
  moveSlot(slot: number, from: RedisClusterNode, to: RedisClusterNode): Promise<void>
  /** Another node, which follows this one and takes over when it is gone. */
  addReplica(of: RedisClusterNode): Promise<RedisClusterNode>
  dispose(): Promise<void>
}

const SLOTS = 16_384
/** How long a node is silent before the others vote for its replica. */
const SILENT_MS = 2000

export async function startRedisCluster(
  size: number,
  settings: Record<string, string> = {},
): Promise<RedisCluster> {
  const nodes: RedisClusterNode[] = []
  const links: RedisLink[] = []

  async function start(): Promise<RedisClusterNode> {
    const busPort = await freePort()
    const server = await startRedis({
      'cluster-enabled': 'yes',
      'cluster-port': String(busPort),
      'cluster-node-timeout': String(SILENT_MS),
      ...settings,
    })
    const link = await openRedisLink(server.url)
    links.push(link)
    const send = (...parameters: string[]) => link.send(parameters)
    const node = { ...server, id: String(await send('CLUSTER', 'MYID')), send }
    for (const other of nodes)
      await other.send('CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(busPort))
    nodes.push(node)
    return node
  }

  const isKnownToAll = async (lines: number, says: string) => {
    for (const node of nodes) {
      const known = String(await node.send('CLUSTER', 'NODES'))
        .trim()
        .split('\n')
      const info = String(await node.send('CLUSTER', 'INFO'))
      const met = known.filter((line) => / connected/.test(line) && !line.includes('handshake'))
      if (met.length < lines || !info.includes(says)) return false
    }
    return true
  }

  /** Whether a node takes another one for a master that is up. */
  async function sees(node: RedisClusterNode, other: RedisClusterNode): Promise<boolean> {
    const lines = String(await node.send('CLUSTER', 'NODES')).split('\n')
    const flags =
      lines
        .find((line) => line.startsWith(other.id))
        ?.split(' ')[2]
        ?.split(',') ?? []
    return flags.includes('master') && !flags.some((flag) => flag.startsWith('fail'))
  }

  const slotOf = async (key: string) => Number(await nodes[0]!.send('CLUSTER', 'KEYSLOT', key))

  async function dispose(): Promise<void> {
    for (const link of links) link.end(new Error('the cluster is taken down'))
    for (const node of nodes) await node.dispose()
  }

  try {
    for (let index = 0; index < size; index++) await start()
    for (const [index, node] of nodes.entries()) {
      const [from, below] = [index, index + 1].map((part) => Math.floor((SLOTS * part) / size)) as [
        number,
        number,
      ]
      await node.send('CLUSTER', 'ADDSLOTSRANGE', String(from), String(below - 1))
    }
    await until(() => isKnownToAll(size, 'cluster_state:ok'), 'the nodes know each other')
  } catch (error) {
    await dispose()
    throw error
  }

  return {
    nodes,
    slotOf,
    async homeOf(key) {
      const slot = await slotOf(key)
      const ranges = (await nodes[0]!.send('CLUSTER', 'SLOTS')) as [
        number,
        number,
        [string, number, string],
      ][]
      const range = ranges.find(([from, to]) => from <= slot && slot <= to)
      return nodes.find(({ id }) => id === range?.[2][2])!
    },
    async moveSlot(slot, from, to) {
      // A replica that has just taken over is one by its own word first; the others hear of it later.
      const agree = async () => (await sees(to, from)) && (await sees(from, to))
      await until(agree, 'both nodes take each other for masters')
      await to.send('CLUSTER', 'SETSLOT', String(slot), 'IMPORTING', from.id)
      await from.send('CLUSTER', 'SETSLOT', String(slot), 'MIGRATING', to.id)
      for (;;) {
        const keys = (await from.send('CLUSTER', 'GETKEYSINSLOT', String(slot), '100')) as string[]
        if (keys.length === 0) break
        await from.send('MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...keys)
      }
      for (const node of [to, from, ...nodes]) {
        const told = node.send('CLUSTER', 'SETSLOT', String(slot), 'NODE', to.id)
        // Whoever is gone or follows another hears of it from those.
        await (node === to ? told : told.catch(() => {}))
      }
    },
    async addReplica(of) {
      const replica = await start()
      await until(() => isKnownToAll(nodes.length, ''), 'the new node is known')
      await replica.send('CLUSTER', 'REPLICATE', of.id)
      await until(
        async () => String(await replica.send('INFO', 'replication')).includes('master_link_status:up'),
        'the replica follows',
      )
      return replica
    },
    dispose,
  }
}
