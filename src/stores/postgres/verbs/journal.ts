/** The journal in Postgres: entries in the order of their commits, numbered within their chain. */
import type { EntryDraft } from '../../../journal/entry.ts'
import { toEntry } from '../../sql-rows.ts'
import type { JournalVerbs } from '../../store.ts'
import type { Database, Operation } from '../database/database.ts'
import { toServerNumber } from '../database/server-numbers.ts'
import type { ServerIdentity } from '../schema/server-identity.ts'

const COLUMNS = 'c.chain, j.seq, j.n, j.type, j.request, j.version, j.body'

export function createJournal(database: Database, ns: string, identity: ServerIdentity): JournalVerbs {
  const { schema } = database
  const newest = `SELECT ${identity.mark} AS mark,
    coalesce((SELECT max(seq) FROM ${schema}.journal WHERE ns = $1), 0) AS newest`
  // One statement and so one moment: what was committed since is after `newest`, and not among the entries.
  const feed = `SELECT here.mark, here.newest, ${COLUMNS} FROM (${newest}) here LEFT JOIN LATERAL (
      SELECT * FROM ${schema}.journal WHERE ns = $1 AND seq > $2 ORDER BY seq LIMIT $3) j ON true
    LEFT JOIN ${schema}.chains c ON c.id = j.chain_id ORDER BY j.seq`
  const chains = `SELECT c.chain, (SELECT max(j.n) FROM ${schema}.journal j WHERE j.chain_id = c.id) AS last
    FROM ${schema}.chains c WHERE c.ns = $1 ORDER BY c.id`
  // The chain is looked up first: a join might as well begin at the other end, and read the journal whole.
  const read = `SELECT $2 AS chain, j.* FROM ${schema}.journal j WHERE j.chain_id = (
      SELECT c.id FROM ${schema}.chains c WHERE c.key = ${schema}.key_v1($1, $2))
    AND j.n > $3 ORDER BY j.n LIMIT $4`

  return database.verbs<JournalVerbs>({
    async append(entry) {
      await writeWith(database, { do: 'appendEntry' }, entry)
    },
    async chains() {
      const rows = await database.read(chains, [ns])
      return rows.map((row) => ({ chain: String(row.chain), last: Number(row.last ?? 0) }))
    },
    async read(chain, after, limit) {
      const rows = await database.read(read, [ns, chain, toServerNumber(after), toServerNumber(limit)])
      return rows.map(toEntry)
    },
    async feed(after, limit) {
      const from = readPosition(after)
      if (from === undefined) return { events: [], complete: false }
      const rows = await database.read(feed, [ns, from.seq, toServerNumber(limit)])
      const mark = String(rows[0]?.mark)
      if ((from.mark !== undefined && from.mark !== mark) || from.seq > Number(rows[0]?.newest)) {
        return { events: [], complete: false }
      }
      const events = rows
        .filter((row) => row.seq !== null)
        .map((row) => ({ cursor: `${mark}.${row.seq}`, entry: toEntry(row) }))
      return { events, complete: true }
    },
    async cursor() {
      const [row] = await database.read(newest, [ns])
      return `${row?.mark}.${row?.newest}`
    },
  })
}

/** What is written down of an entry. */
export function entryToJson({ chain, type, request, version, body }: EntryDraft): object {
  return { chain, type, request, version, body }
}

/** Writes an operation, with its entry where it has one. */
export function writeWith<T>(database: Database, operation: Operation, entry?: EntryDraft): Promise<T> {
  if (entry === undefined) return database.write<T>(operation)
  return database.write<T>({ ...operation, entry: entryToJson(entry) }, [entry])
}

/** The same, for an operation that says whether it changed anything. */
export async function hasWon(database: Database, operation: Operation, entry?: EntryDraft): Promise<boolean> {
  return (await writeWith<{ won: boolean }>(database, operation, entry)).won
}

/** A place in the feed of one server. Only what `cursor` or `feed` wrote is one. */
function readPosition(cursor: string | undefined): { mark?: string; seq: number } | undefined {
  if (cursor === undefined) return { seq: 0 }
  const parts = /^([0-9a-f]{16})\.(0|[1-9][0-9]{0,14})$/.exec(cursor)
  return parts === null ? undefined : { mark: parts[1]!, seq: Number(parts[2]) }
}
