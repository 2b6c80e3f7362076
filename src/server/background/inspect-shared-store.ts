/** A look at a store that several servers may share, for `banksman doctor`: the server behind it, and the nodes on it. */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Finding } from '../../core/support/finding.ts'
import { openStore } from '../stores/open-store.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { describeSkew, describeTwins, listNodes } from './nodes.ts'

type SharedPlace = Extract<StorePlace, { kind: 'postgres' | 'redis' }>

export async function inspectSharedStore(
  place: SharedPlace,
  { withNodes, version }: { withNodes: boolean; version: string },
): Promise<Finding[]> {
  const found = await inspectServer(place)
  if (!withNodes || found.some(({ kind }) => kind === 'problem')) return found
  return [...found, ...(await inspectNodes(place, version))]
}

async function inspectServer(place: SharedPlace): Promise<Finding[]> {
  if (place.kind === 'postgres') {
    const { inspectPostgres } = await import('../../stores/postgres/inspect.ts')
    const { url, listenUrl, schema } = place
    return inspectPostgres({ url, ...defined({ listenUrl, schema }) })
  }
  const { inspectRedis } = await import('../../stores/redis/inspect.ts')
  const { url, prefix, mayLose } = place
  return inspectRedis({ url, ...defined({ prefix, mayLose }) })
}

async function inspectNodes(place: SharedPlace, own: string): Promise<Finding[]> {
  const about = 'nodes'
  try {
    const store = await openStore(place)
    try {
      const nodes = await listNodes(store.leases)
      const skew = describeSkew(nodes)
      const strangers = nodes.filter(({ version }) => version !== own)
      const names = nodes.map(({ id, url }) => `${id} (${url})`).join(', ')
      return [
        { kind: 'ok', about, detail: `${nodes.length} on this store: ${names || 'none'}` },
        ...describeTwins(nodes).map(
          ({ isCertain, ...twins }): Finding => ({
            kind: isCertain ? 'problem' : 'warning',
            about,
            ...twins,
          }),
        ),
        ...skew.map((trouble): Finding => ({ kind: 'warning', about, ...trouble })),
        ...(skew.length === 0 && strangers.length > 0
          ? [
              {
                kind: 'warning' as const,
                about,
                detail: `this program is version ${own}, and they are not`,
              },
            ]
          : []),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!isBanksmanError(error)) throw error
    return [{ kind: 'problem', about, detail: error.message }]
  }
}
