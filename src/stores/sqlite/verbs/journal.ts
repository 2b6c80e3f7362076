/** The journal in SQLite: entries in the order of their commits, numbered within their chain. */
import { BanksmanError } from '../../../core/errors.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import { toEntry } from '../../sql-rows.ts'
import type { JournalVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'

export interface SqliteJournal extends JournalVerbs {
  /** Inside a write: gives the entry its number. */
  add(entry: EntryDraft): void
}

export function createJournal(database: Database, ns: string): SqliteJournal {
  const insertChain = database.statement('INSERT OR IGNORE INTO chains (ns, chain) VALUES (?, ?)')
  const chainId = database.statement('SELECT id FROM chains WHERE ns = ? AND chain = ?')
  const lastNumber = database.statement('SELECT max(n) AS n FROM journal WHERE chain_id = ?')
  const insert = database.statement(
    'INSERT INTO journal (chain_id, n, type, request, version, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const columns = 'c.chain, j.seq, j.n, j.type, j.request, j.version, j.body'

  // A chain has one writer, so its last number may be remembered until something is rolled back.
  let tails = new Map<string, { id: number; last: number }>()
  let validFor = -1

  function tailOf(chain: string): { id: number; last: number } {
    if (validFor !== database.rollbacks()) {
      tails = new Map()
      validFor = database.rollbacks()
    }
    let tail = tails.get(chain)
    if (tail === undefined) {
      insertChain.run(ns, chain)
      const id = Number(chainId.get(ns, chain)?.id)
      tail = { id, last: Number(lastNumber.get(id)?.n ?? 0) }
      tails.set(chain, tail)
    }
    return tail
  }

  function add(entry: EntryDraft): void {
    const tail = tailOf(entry.chain)
    const n = tail.last + 1
    refuseLost(entry, n)
    insert.run(tail.id, n, entry.type, entry.request ?? null, entry.version ?? null, entry.body)
    tail.last = n
    database.afterCommit(() => entry.committed(n))
  }

  return {
    add,
    append: (entry) => database.write(() => add(entry)),
    async chains() {
      const rows = database.read(() =>
        database
          .statement(
            `SELECT c.chain, (SELECT max(n) FROM journal WHERE chain_id = c.id) AS last
             FROM chains c WHERE c.ns = ? ORDER BY c.id`,
          )
          .all(ns),
      )
      return rows.map((row) => ({ chain: String(row.chain), last: Number(row.last ?? 0) }))
    },
    async read(chain, after, limit) {
      const rows = database.read(() =>
        database
          .statement(
            `SELECT ${columns} FROM chains c JOIN journal j ON j.chain_id = c.id
             WHERE c.ns = ? AND c.chain = ? AND j.n > ? ORDER BY j.n LIMIT ?`,
          )
          .all(ns, chain, after, limit),
      )
      return rows.map(toEntry)
    },
    async feed(after, limit) {
      const from = readPosition(after)
      if (from === undefined || from > newest()) return { events: [], complete: false }
      const rows = database.read(() =>
        database
          .statement(
            `SELECT ${columns} FROM journal j NOT INDEXED CROSS JOIN chains c ON c.id = j.chain_id
             WHERE j.seq > ? AND c.ns = ? ORDER BY j.seq LIMIT ?`,
          )
          .all(from, ns, limit),
      )
      return { events: rows.map((row) => ({ cursor: String(row.seq), entry: toEntry(row) })), complete: true }
    },
    async cursor() {
      return String(newest())
    },
  }

  function newest(): number {
    return Number(
      database.read(() => database.statement('SELECT max(seq) AS seq FROM journal').get())?.seq ?? 0,
    )
  }
}

/** Whoever wrote it knows of later entries than there are. */
function refuseLost({ chain, follows = 0 }: EntryDraft, n: number): void {
  if (n > follows) return
  throw new BanksmanError(
    'store_unavailable',
    `entry ${n} of chain ${JSON.stringify(chain)} was given out before, and is not there any more`,
  )
}

/** Only what `cursor` or `feed` wrote is a position: `Number` would also take '', ' 7' and '0x7'. */
function readPosition(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return 0
  return /^(0|[1-9][0-9]{0,15})$/.test(cursor) ? Number(cursor) : undefined
}
