/** The history of calls in Postgres, and their erasure after the retention time. */

import type { CallHold } from '../../../core/call-hold.ts'
import type { JsonObject } from '../../../core/json/json.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { isFinal, type Progress, STATES } from '../../../core/request.ts'
import { pageLimit, pageOf, readCursor } from '../../cursor.ts'
import { toCall, toPast } from '../../sql-rows.ts'
import type { CallVerbs } from '../../store.ts'
import type { Row } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { toServerNumber } from '../database/server-numbers.ts'
import { eraseAll } from './erasure.ts'
import { writeWith } from './journal.ts'

type HoldChanged = { won: true } | { won: false; hold?: string }

export const FINAL = STATES.filter(isFinal) as string[]

export function createCalls(database: Database, ns: string): CallVerbs {
  const { schema } = database
  const judged = `SELECT c.* FROM ${schema}.calls c WHERE c.verdict <> 'ask' AND c.seq < $2`
  const newest = `${judged} AND c.ns = $1 ORDER BY c.seq DESC LIMIT $3`
  const newestInSession = `${judged} AND c.session_key = ${schema}.key_v1($1, $4) ORDER BY c.seq DESC LIMIT $3`
  const all = `SELECT c.*, r.state FROM (
      SELECT * FROM ${schema}.calls WHERE ns = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3) c
    LEFT JOIN ${schema}.requests r ON r.id = c.request AND r.ns || '' = c.ns ORDER BY c.seq DESC`
  const erasable = `SELECT c.seq, c.draft, r.id, r.version, r.progress FROM ${schema}.calls c
    LEFT JOIN ${schema}.requests r ON r.id = c.request AND r.ns || '' = c.ns
    WHERE c.ns = $1 AND c.created_at < $2 AND c.bytes <> '' AND (r.id IS NULL OR r.state = ANY ($3::text[]))
    ORDER BY c.created_at LIMIT $4`

  const result = `SELECT t.body FROM ${schema}.calls c JOIN ${schema}.results t ON t.seq = c.seq
    WHERE c.key = ${schema}.inner_key_v1($1, $2, $3)`

  return database.verbs<CallVerbs>({
    async list({ session, ...query }) {
      const limit = pageLimit(query.limit)
      const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
      const rows =
        session === undefined
          ? await database.read(newest, [ns, before, limit + 1])
          : await database.read(newestInSession, [ns, before, limit + 1, session])
      return pageOf(rows, limit, toCall, seqOf)
    },
    async history(query) {
      const limit = pageLimit(query.limit)
      const [before] = readCursor(query.cursor, [Number.MAX_SAFE_INTEGER])
      return pageOf(await database.read(all, [ns, before, limit + 1]), limit, toPast, seqOf)
    },
    async erase(before, limit, entry) {
      const rows = await database.read(erasable, [ns, toServerNumber(before), FINAL, toServerNumber(limit)])
      const found = rows.map(withoutWords)
      return eraseAll(database, 'eraseCalls', found, ({ seq }, _, still) => still.has(seq), entry)
    },
    async changeHold({ session, callId, digest, version, hold, result, entry }) {
      const operation = {
        do: 'changeHold',
        session,
        callId,
        digest,
        version: toServerNumber(version),
        hold: holdToJson({ ...hold, version: version + 1 }),
        result,
      }
      const changed = await writeWith<HoldChanged>(database, operation, entry)
      if (changed.won) return { won: true }
      return {
        won: false,
        ...(changed.hold === undefined ? {} : { hold: parseJson<CallHold>(changed.hold) }),
      }
    },
    async result(session, callId) {
      const [row] = await database.read(result, [ns, session, callId])
      return row === undefined ? undefined : String(row.body)
    },
  })
}

/** With its version apart: JSON on the server can't hold every text that ours can. */
export function holdToJson(hold: CallHold): object {
  return { version: toServerNumber(hold.version), body: JSON.stringify(hold) }
}

/** What is left of a call. It is put together here: JSON on the server can't hold every text that ours can. */
function withoutWords(row: Row) {
  const seq = Number(row.seq)
  const { context: _context, preview: _preview, ...draft } = parseJson<JsonObject>(String(row.draft ?? '{}'))
  if (row.id === null) return { seq }
  const { edit, approved, ...progress } = parseJson<Progress>(String(row.progress))
  return {
    seq,
    request: String(row.id),
    version: Number(row.version),
    draft: JSON.stringify(draft),
    // An edit keeps its own copy of the arguments.
    progress: JSON.stringify({
      ...progress,
      ...(edit === undefined ? {} : { edit: { ...edit, bytes: undefined } }),
      ...(approved === undefined ? {} : { approved: { ...approved, bytes: undefined } }),
    }),
  }
}

function seqOf(row: Row): [number] {
  return [Number(row.seq)]
}
