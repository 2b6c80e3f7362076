import { toDelivery } from '../../sql-rows.ts'
import type { DeliveryVerbs, TakenDelivery } from '../../store.ts'
import type { Row } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { toServerNumber } from '../database/server-numbers.ts'

export function createDeliveries(database: Database, ns: string): DeliveryVerbs {
  const ofRequest = `SELECT request, channel, shown_version, attempts, ticket, reference
    FROM ${database.schema}.deliveries WHERE request = $2 AND ns || '' = $1 ORDER BY channel`

  async function end(
    operation: string,
    { request, channel, ticket }: TakenDelivery,
    how: object,
  ): Promise<boolean> {
    const result = await database.write<{ won: boolean }>({ do: operation, request, channel, ticket, ...how })
    return result.won
  }

  return database.verbs<DeliveryVerbs>({
    async take(channels, limit, leaseMs) {
      const operation = {
        do: 'takeDeliveries',
        channels,
        limit: toServerNumber(limit),
        leaseMs: toServerNumber(leaseMs),
      }
      return (await database.write<{ taken: Row[] }>(operation)).taken.map(toDelivery)
    },
    shown: (taken, version, reference) =>
      end('showDelivery', taken, {
        version,
        ...(reference === undefined ? {} : { reference: JSON.stringify(reference) }),
      }),
    failed: (taken, retryInMs) => end('failDelivery', taken, { retryInMs: toServerNumber(retryInMs) }),
    list: async (request) => (await database.read(ofRequest, [ns, request])).map(toDelivery),
  })
}
