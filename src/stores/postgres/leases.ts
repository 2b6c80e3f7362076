/** Leases in Postgres. */
import type { JsonValue } from '../../core/json.ts'
import type { Lease, LeaseVerbs } from '../store.ts'
import type { Row } from './connections.ts'
import type { Database } from './database.ts'
import { nowOr, whole } from './numbers.ts'

export function createLeases(database: Database, ns: string, at: () => number | null): LeaseVerbs {
  // The index has the beginning of a name, and the first text that no name with this prefix reaches ends the search.
  const held = `SELECT name, holder, fence, until, note FROM ${database.schema}.leases
    WHERE ns = $1 AND until > ${nowOr('$2')} AND starts_with(name, $3) AND left(name, 100) >= left($3, 100)
      AND ($4::text IS NULL OR left(name, 100) < $4) ORDER BY left(name, 100), name`
  return {
    take: ({ name, holder, leaseMs, note }) =>
      database.verb(async () => {
        const row = await database.write<Row>({
          do: 'takeLease',
          name,
          holder,
          leaseMs: whole(leaseMs),
          ...(note === undefined ? {} : { note: JSON.stringify(note) }),
        })
        return toLease({ ...row, name })
      }),
    release: (name, holder) =>
      database.verb(async () => {
        await database.write({ do: 'releaseLease', name, holder })
      }),
    list: (prefix) =>
      database.verb(async () =>
        (await database.read(held, [ns, at(), prefix, textAfter(prefix)])).map(toLease),
      ),
  }
}

/** The first text that is greater than all that begin so; null where there is none. */
function textAfter(prefix: string): string | null {
  // Fewer than the index has, even where each is written as two.
  const characters = [...prefix].slice(0, 50)
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const code = last.codePointAt(0)!
    if (code < 0x10ffff) {
      // Surrogates are no characters.
      const next = code === 0xd7ff ? 0xe000 : code + 1
      return characters.join('') + String.fromCodePoint(next)
    }
  }
  return null
}

function toLease(row: Row): Lease {
  return {
    name: String(row.name),
    holder: String(row.holder),
    fence: Number(row.fence),
    until: Number(row.until),
    ...(row.note === null ? {} : { note: JSON.parse(String(row.note)) as JsonValue }),
  }
}
