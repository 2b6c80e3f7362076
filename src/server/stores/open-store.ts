/** Opens the store at a place. The drivers are imported late: each brings a library that need not be there. */
import { defined } from '../../core/defined.ts'
import type { Store } from '../../stores/store.ts'
import type { StorePlace } from './store-place.ts'

export interface OpenStoreOptions {
  namespace?: string
  /** Files that must stay what they are while a SQLite store is open. */
  alsoWatched?: readonly string[]
  /** Told of faults that nobody waits for. */
  report?: (fault: { doing: string; error: unknown }) => void
}

export async function openStore(place: StorePlace, options: OpenStoreOptions = {}): Promise<Store> {
  const { namespace, report, alsoWatched } = options
  const named = namespace === undefined ? {} : { namespace }
  switch (place.kind) {
    case 'memory': {
      const { openMemoryStore } = await import('../../stores/memory/store.ts')
      return openMemoryStore(named)
    }
    case 'sqlite': {
      const { openSqliteStore } = await import('../../stores/sqlite/store.ts')
      return openSqliteStore({ path: place.file, ...named, ...defined({ report, alsoWatched }) })
    }
    case 'postgres': {
      const { openPostgresStore } = await import('../../stores/postgres/store.ts')
      const { kind: _, ...at } = place
      return openPostgresStore({ ...at, ...named, ...defined({ report }) })
    }
    case 'redis': {
      const { openRedisStore } = await import('../../stores/redis/store.ts')
      const { kind: _, ...at } = place
      return openRedisStore({ ...at, ...named, ...defined({ report }) })
    }
  }
}
