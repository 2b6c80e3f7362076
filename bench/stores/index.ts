/** Postgres and Redis: servers, nodes and clients on this one machine. */
import type { Figure } from '../measure.ts'
import { benchStorePending } from './pending.ts'
import { benchRate } from './rate.ts'
import { startSharedServers } from './servers.ts'
import { benchWake } from './wake.ts'

export async function benchStores(rounds: number): Promise<Figure[]> {
  const figures: Figure[] = []
  const servers = await startSharedServers()
  try {
    for (const server of servers) {
      for (const bench of [benchRate, benchWake, benchStorePending])
        figures.push(...(await bench(server, rounds)))
    }
  } finally {
    for (const server of servers) await server.dispose()
  }
  return figures
}
