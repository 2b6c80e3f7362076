/**
 * `client.guard` of a call that the policy allows, over loopback to a server in another process, beside a bare `node:http`
 * exchange of the same size. The server says "allowed" when the call is on disk, and is told how it ended.
 */
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { createClient } from '../../src/client/create-client.ts'
import { benchFolder, nextCall } from '../bench-gateway.ts'
import { type Figure, figure, interleave, percentile, ratio } from '../measure.ts'
import { post, start } from './http.ts'

const COUNT = 500

export async function benchFar(rounds: number): Promise<Figure[]> {
  const folder = benchFolder()
  const children: ChildProcess[] = []
  const connections = new Agent({ keepAlive: true })
  try {
    const bare = await start('bare', folder, children)
    const { url, agent } = await start('allowing', folder, children)
    const client = createClient({ url, token: agent })
    const exchange = () => post(connections, bare.url, '/v1/holds', bare.agent, nextCall('read_file'))
    const guarded = async () => {
      const result = await client.guard(nextCall('read_file'), () => 1)
      if (result.kind !== 'ran') throw new Error(JSON.stringify(result))
    }
    const all: Record<string, number[]> = { bare: [], guarded: [] }
    const median = async (kind: string, work: () => Promise<void>) => {
      const times: number[] = []
      for (let count = 0; count < COUNT; count++) {
        const startedAt = performance.now()
        await work()
        times.push(performance.now() - startedAt)
      }
      all[kind]!.push(...times)
      return percentile(times, 0.5)
    }
    for (let count = 0; count < 200; count++) await Promise.all([exchange(), guarded()])
    all.bare = []
    all.guarded = []
    const [plain, far] = (await interleave(
      [
        { name: 'bare node:http exchange, median', unit: 'ms', run: () => median('bare', exchange) },
        {
          name: 'client.guard of an allowed call, median',
          unit: 'ms',
          run: () => median('guarded', guarded),
        },
      ],
      rounds,
    )) as [Figure, Figure]
    return [
      plain,
      far,
      ratio('client.guard / bare exchange', far, plain),
      figure('bare exchange, 99th percentile', 'ms', [percentile(all.bare, 0.99)]),
      figure('client.guard, 99th percentile', 'ms', [percentile(all.guarded, 0.99)]),
    ]
  } finally {
    connections.destroy()
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
