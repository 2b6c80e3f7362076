/** Leases in Redis. One that has ended is removed in time: fences are counted for all of them together. */

import { parseJson } from '../../../core/json/parse-json.ts'
import type { Lease, LeaseVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import { milliseconds, optional } from '../database/parameters.ts'
import { toFieldMap } from '../database/server-facts.ts'
import { LIST_LEASES } from '../scripts/leases/list-leases.ts'
import { RELEASE_LEASE } from '../scripts/leases/release-lease.ts'
import { TAKE_LEASE } from '../scripts/leases/take-lease.ts'

export function createLeases(database: Database): LeaseVerbs {
  return {
    take: ({ name, holder, leaseMs, note }) =>
      database.verb('taking a lease', async () => {
        const kept = optional(note === undefined ? undefined : JSON.stringify(note))
        const parameters = [name, holder, milliseconds(leaseMs), kept]
        const { told } = await database.write({ script: TAKE_LEASE, parameters })
        const [has, fence, until, said] = told
        return toLease(name, has!, fence!, until!, said)
      }),
    release: (name, holder) =>
      database.verb('releasing a lease', async () => {
        await database.write({ script: RELEASE_LEASE, parameters: [name, holder] })
      }),
    list: (prefix) =>
      database.verb('listing leases', async () => {
        const found = (await database.read(LIST_LEASES, [prefix])) as RedisReply[][]
        return found.map(([name, fields]) => {
          const row = toFieldMap(fields)
          return toLease(
            String(name),
            row.get('holder')!,
            row.get('fence')!,
            row.get('until')!,
            row.get('note'),
          )
        })
      }),
  }
}

function toLease(
  name: string,
  holder: RedisReply,
  fence: RedisReply,
  until: RedisReply,
  note: RedisReply | undefined,
): Lease {
  return {
    name,
    holder: String(holder),
    fence: Number(fence),
    until: Number(until),
    ...(note === undefined ? {} : { note: parseJson(String(note)) }),
  }
}
