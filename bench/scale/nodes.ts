/** Approvals a second as more nodes share the store, each a process of its own with 32 approvals in flight. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SharedServer } from '../stores/servers.ts'
import { type Measure, pointAt, severalTimes } from './measure-at.ts'
import type { Series } from './plot.ts'

const NODES = [1, 2, 3, 4]

export const measureNodes: Measure = async (servers, { rounds }) => {
  const series: Series[] = []
  for (const server of servers) {
    for (const spread of [false, true]) {
      const points: Series['points'] = []
      for (const count of NODES)
        points.push(pointAt(count, await severalTimes(rounds, () => together(server, count, spread))))
      series.push({ name: `${server.name}, ${spread ? 'a namespace each' : 'one namespace'}`, points })
    }
  }
  return [
    [
      'nodes',
      { title: 'Approvals a second as nodes are added', x: 'nodes', y: 'approvals a second', series },
    ],
  ]
}

/** All begin when all are ready; what each says it did in its time is added up. */
async function together(server: SharedServer, count: number, spread: boolean): Promise<number> {
  const nodes = Array.from({ length: count }, (_, index) => {
    const namespace = spread ? `node${index}` : 'default'
    const program = join(import.meta.dirname, 'node-child.ts')
    const child = spawn(process.execPath, [program, server.kind, server.url, 'scale_nodes', namespace], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return { child, next: async () => (await lines.next()).value as string }
  })
  try {
    await Promise.all(nodes.map((node) => node.next()))
    for (const { child } of nodes) child.stdin.write('go\n')
    const rates = await Promise.all(nodes.map(async (node) => Number(await node.next())))
    return rates.reduce((sum, each) => sum + each, 0)
  } finally {
    for (const { child } of nodes) child.kill('SIGKILL')
  }
}
