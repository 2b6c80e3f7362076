import { toLease } from '../../sql-rows.ts'
import type { LeaseVerbs } from '../../store.ts'
import { textAfter } from '../../text-after.ts'
import type { Row } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { nowOr, toServerNumber } from '../database/server-numbers.ts'

export function createLeases(database: Database, ns: string, at: () => number | null): LeaseVerbs {
  // The index has the beginning of a name, and the first text that no name with this prefix reaches ends the search.
  const held = `SELECT name, holder, fence, until, note FROM ${database.schema}.leases
    WHERE ns = $1 AND until > ${nowOr('$2')} AND starts_with(name, $3) AND left(name, 100) >= left($3, 100)
      AND ($4::text IS NULL OR left(name, 100) < $4) ORDER BY left(name, 100), name`
  return database.verbs<LeaseVerbs>({
    async take({ name, holder, leaseMs, note }) {
      const row = await database.write<Row>({
        do: 'takeLease',
        name,
        holder,
        leaseMs: toServerNumber(leaseMs),
        ...(note === undefined ? {} : { note: JSON.stringify(note) }),
      })
      return toLease({ ...row, name })
    },
    async release(name, holder) {
      await database.write({ do: 'releaseLease', name, holder })
    },
    list: async (prefix) => (await database.read(held, [ns, at(), prefix, endOf(prefix)])).map(toLease),
  })
}

/** Of fewer characters than the index has, even where each is written as two. */
function endOf(prefix: string): string | null {
  return textAfter([...prefix].slice(0, 50).join('')) ?? null
}
