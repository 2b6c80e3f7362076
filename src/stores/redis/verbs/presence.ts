/** Who is connected, in Redis. A lease is a time in a sorted set, compared with the server's clock: no key ever expires. */
import { parseJson } from '../../../core/json/parse-json.ts'
import type { Presence, PresenceVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { milliseconds } from '../database/parameters.ts'
import { LEAVE_PRESENCE } from '../scripts/people/leave-presence.ts'
import { LIST_PRESENCE } from '../scripts/people/list-presence.ts'
import { RENEW_PRESENCE } from '../scripts/people/renew-presence.ts'

export function createPresence(database: Database): PresenceVerbs {
  return {
    renew: ({ channel, connection, subject, conversation }, leaseMs) =>
      database.verb('renewing a presence', async () => {
        const said = JSON.stringify({ channel, connection, subject, conversation } satisfies {
          [name in keyof Required<Presence>]: unknown
        })
        const parameters = [channel, connection, milliseconds(leaseMs), said]
        await database.write({ script: RENEW_PRESENCE, parameters })
      }),
    leave: (channel, connection) =>
      database.verb('ending a presence', async () => {
        await database.write({ script: LEAVE_PRESENCE, parameters: [channel, connection] })
      }),
    list: (channel) =>
      database.verb('listing who is there', async () => {
        const found = await database.read(LIST_PRESENCE, [channel])
        return found.map((said) => parseJson<Presence>(String(said)))
      }),
  }
}
