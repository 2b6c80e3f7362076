/** Deliveries in Redis. Those that show an older version than their request has wait in a sorted set of their channel. */

import { parseJson } from '../../../core/json/parse-json.ts'
import type { Delivery, DeliveryVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { counted, milliseconds, optional } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { END_DELIVERY } from '../scripts/deliveries/end-delivery.ts'
import { LIST_DELIVERIES } from '../scripts/deliveries/list-deliveries.ts'
import { TAKE_DELIVERIES } from '../scripts/deliveries/take-deliveries.ts'

/** Of one take: whoever wants more takes again, and others have their turn in between. */
const MOST_AT_ONCE = 1000

export function createDeliveries(database: Database): DeliveryVerbs {
  return {
    take: (channels, limit, leaseMs) =>
      database.verb('taking deliveries', async () => {
        const most = Math.max(0, Math.min(MOST_AT_ONCE, Math.floor(limit)))
        const parameters = [String(most), milliseconds(leaseMs), ...counted([...new Set(channels)])]
        const { told } = await database.write({ script: TAKE_DELIVERIES, parameters })
        return (told[0] as RedisReply[][]).map(toTaken)
      }),
    shown: ({ request, channel, ticket }, version, reference) =>
      database.verb('noting what was shown', async () => {
        const kept = optional(reference === undefined ? undefined : JSON.stringify(reference))
        const parameters = [request, channel, String(ticket), 'shown', String(version), kept]
        return (await database.write({ script: END_DELIVERY, parameters })).changed
      }),
    failed: ({ request, channel, ticket }, retryInMs) =>
      database.verb('noting a failed delivery', async () => {
        const parameters = [
          request,
          channel,
          String(ticket),
          'failed',
          milliseconds(retryInMs),
          optional(undefined),
        ]
        return (await database.write({ script: END_DELIVERY, parameters })).changed
      }),
    list: (request) =>
      database.verb('listing deliveries', async () => {
        const found = (await database.read(LIST_DELIVERIES, [request])) as RedisReply[][]
        return found
          .map(([channel, fields]) => toDelivery(request, String(channel), fields!))
          .sort((one, other) => (one.channel < other.channel ? -1 : 1))
      }),
  }
}

function toTaken(row: RedisReply[]): Delivery {
  const [request, channel, shownVersion, attempts, ticket, reference] = row
  return {
    request: String(request),
    channel: String(channel),
    shownVersion: Number(shownVersion),
    attempts: Number(attempts),
    ticket: Number(ticket),
    ...(reference === undefined ? {} : { reference: parseJson(String(reference)) }),
  }
}

function toDelivery(request: string, channel: string, reply: RedisReply): Delivery {
  const fields = toFieldMap(reply)
  const reference = fields.get('reference')
  const numbers = ['shown', 'attempts', 'ticket'].map((name) => Number(fields.get(name)))
  return toTaken([request, channel, ...numbers, ...(reference === undefined ? [] : [reference])])
}
