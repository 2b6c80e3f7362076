/** Leases in Redis. One that has ended is removed in time: fences are counted for all of them together. */
import type { JsonValue } from '../../core/json.ts'
import type { Lease, LeaseVerbs } from '../store.ts'
import type { Database } from './database.ts'
import type { Reply } from './link.ts'
import { milliseconds, optional } from './parameters.ts'
import { LIST_LEASES } from './scripts/list-leases.ts'
import { RELEASE_LEASE } from './scripts/release-lease.ts'
import { TAKE_LEASE } from './scripts/take-lease.ts'
import { pairs } from './server-facts.ts'

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
        const found = (await database.read(LIST_LEASES, [prefix])) as Reply[][]
        return found.map(([name, fields]) => {
          const row = pairs(fields)
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

function toLease(name: string, holder: Reply, fence: Reply, until: Reply, note: Reply | undefined): Lease {
  return {
    name,
    holder: String(holder),
    fence: Number(fence),
    until: Number(until),
    ...(note === undefined ? {} : { note: JSON.parse(String(note)) as JsonValue }),
  }
}
