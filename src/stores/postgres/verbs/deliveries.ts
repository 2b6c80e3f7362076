/** Deliveries in Postgres. */
import type { JsonValue } from '../../../core/json/json.ts'
import type { Delivery, DeliveryVerbs, TakenDelivery } from '../../store.ts'
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

  return {
    take: (channels, limit, leaseMs) =>
      database.verb(async () => {
        const operation = {
          do: 'takeDeliveries',
          channels,
          limit: toServerNumber(limit),
          leaseMs: toServerNumber(leaseMs),
        }
        return (await database.write<{ taken: Row[] }>(operation)).taken.map(toDelivery)
      }),
    shown: (taken, version, reference) =>
      database.verb(() =>
        end('showDelivery', taken, {
          version,
          ...(reference === undefined ? {} : { reference: JSON.stringify(reference) }),
        }),
      ),
    failed: (taken, retryInMs) =>
      database.verb(() => end('failDelivery', taken, { retryInMs: toServerNumber(retryInMs) })),
    list: (request) =>
      database.verb(async () => (await database.read(ofRequest, [ns, request])).map(toDelivery)),
  }
}

function toDelivery(row: Row): Delivery {
  return {
    request: String(row.request),
    channel: String(row.channel),
    shownVersion: Number(row.shown_version),
    attempts: Number(row.attempts),
    ticket: Number(row.ticket),
    ...(row.reference === null ? {} : { reference: JSON.parse(String(row.reference)) as JsonValue }),
  }
}
