/** The two servers that several nodes can share, started on loopback for as long as a benchmark takes. */
import type { Store } from '../../src/stores/store.ts'
import { noPostgres, startPostgres } from '../../test/servers/postgres.ts'
import { noRedis, startRedis } from '../../test/servers/redis.ts'

export interface SharedServer {
  readonly kind: 'postgres' | 'redis'
  readonly name: string
  readonly url: string
  readonly port: number
  /** A store of its own: a schema, or a prefix. */
  open(place: string, namespace?: string): Promise<Store>
  dispose(): Promise<void>
}

/** Both keep every commit on disk before they answer. */
export async function startSharedServers(): Promise<SharedServer[]> {
  for (const missing of [noPostgres, noRedis]) if (missing !== false) throw new Error(missing)
  return [await startSharedServer('postgres'), await startSharedServer('redis')]
}

async function startSharedServer(kind: SharedServer['kind']): Promise<SharedServer> {
  const server = kind === 'postgres' ? await startPostgres() : await startRedis()
  return {
    kind,
    name: kind === 'postgres' ? 'Postgres' : 'Redis',
    url: server.url,
    port: server.port,
    open: (place, namespace = 'default') => openShared(kind, server.url, place, namespace),
    dispose: () => server.dispose(),
  }
}

export async function openShared(
  kind: SharedServer['kind'],
  url: string,
  place: string,
  namespace = 'default',
): Promise<Store> {
  if (kind === 'postgres') {
    const { openPostgresStore } = await import('../../src/stores/postgres/index.ts')
    return openPostgresStore({ url, schema: place, namespace })
  }
  const { openRedisStore } = await import('../../src/stores/redis/index.ts')
  return openRedisStore({ url, prefix: place, namespace })
}
