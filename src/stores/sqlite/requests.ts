/** Requests and calls in SQLite: the verbs that carry P1, P2 and P4. */
import type { Request, RequestDraft, RequestState } from '../../core/request.ts'
import { LIVE_STATES } from '../../core/request.ts'
import type { Change, Lookup, OpenResult, Opening, Recording, RecordResult, Store } from '../store.ts'
import type { Row } from './connection.ts'
import { pageLimit, readCursor, writeCursor } from './cursor.ts'
import type { Database } from './database.ts'
import type { SqliteGrants } from './grants.ts'
import type { SqliteJournal } from './journal.ts'
import type { SqliteSessions } from './sessions.ts'

export interface RequestParts {
  database: Database
  ns: string
  now: () => number
  journal: SqliteJournal
  sessions: SqliteSessions
  grants: SqliteGrants
}

export type RequestVerbs = Pick<
  Store,
  'lookup' | 'open' | 'record' | 'transition' | 'endSessions' | 'get' | 'list' | 'count' | 'due' | 'nextDeadline'
>

const COLUMNS =
  'r.id, r.session, r.state, r.version, r.deadline, r.sort_at, r.progress, c.draft, c.bytes, c.commitment_key, c.created_at'
const LIVE = LIVE_STATES.map((state) => `'${state}'`).join(', ')

export function createRequests({ database, ns, now, journal, sessions, grants }: RequestParts): RequestVerbs {
  const sql = (text: string) => database.statement(text)
  const byId = sql(`SELECT ${COLUMNS} FROM requests r JOIN calls c ON c.seq = r.seq WHERE r.id = ? AND r.ns = ?`)
  const callById = sql(
    'SELECT digest, verdict, request, because FROM calls WHERE ns = ? AND session = ? AND call_id = ?',
  )
  const insertCall = sql(
    `INSERT INTO calls (ns, session, call_id, verdict, tool, digest, because, rule, policy_version, submitted_by,
       created_at, request, draft, bytes, commitment_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (ns, session, call_id) DO NOTHING`,
  )
  const insertRequest = sql(
    `INSERT INTO requests (seq, id, ns, session, state, version, deadline, sort_at, delivered, progress)
     VALUES (last_insert_rowid(), ?, ?, ?, ?, 1, ?, ?, ?, '{}')`,
  )
  const countPending = sql(
    `SELECT count(*) AS count FROM (SELECT 1 FROM requests WHERE ns = ? AND session = ? AND state = 'pending' LIMIT ?)`,
  )
  const insertDelivery = sql(
    `INSERT INTO deliveries (request, channel, ns, version, shown_version, due_at, attempts) VALUES (?, ?, ?, 1, 0, 0, 0)`,
  )
  const update = sql(
    `UPDATE requests SET state = ?, version = version + 1, progress = ?,
       deadline = CASE ? WHEN 1 THEN deadline ELSE ? END,
       sort_at = CASE ? WHEN 1 THEN sort_at ELSE coalesce(?, (SELECT created_at FROM calls WHERE seq = requests.seq)) END
     WHERE id = ? AND ns = ? AND version = ? AND state = ? AND CASE ? WHEN 1 THEN deadline > ? WHEN 2 THEN deadline <= ? ELSE 1 END
     RETURNING deadline, delivered`,
  )
  const touchDeliveries = sql('UPDATE deliveries SET version = ?, due_at = 0 WHERE request = ?')

  function get(id: string): Request | undefined {
    const row = byId.get(id, ns)
    return row === undefined ? undefined : toRequest(row)
  }

  function known(session: string, callId: string): Lookup['known'] {
    const row = callById.get(ns, session, callId)
    if (row === undefined) return undefined
    return {
      digest: String(row.digest),
      verdict: row.verdict as 'allow' | 'deny' | 'ask',
      because: String(row.because),
      ...(row.request === null ? {} : { request: String(row.request) }),
    }
  }

  function open(opening: Opening): OpenResult {
    const { request, session, deliveries } = opening
    const before = known(request.session, request.callId)
    if (before !== undefined) {
      if (before.digest !== request.digest) return { kind: 'conflict', digest: before.digest }
      const existing = before.request === undefined ? undefined : get(before.request)
      if (existing !== undefined) return { kind: 'existing', request: existing }
      return { kind: 'known', digest: before.digest, verdict: before.verdict as 'allow' | 'deny', because: before.because }
    }
    const at = now()
    const refusal = sessions.enter(session, at)
    if (refusal !== undefined) return { kind: 'refused', code: refusal }
    const waiting = Number(countPending.get(ns, request.session, opening.maxPending)?.count)
    if (waiting >= opening.maxPending) return { kind: 'refused', code: 'too_many_pending' }

    const { bytes, commitmentKey, ...draft } = request
    insertCall.run(
      ns, request.session, request.callId, 'ask', request.tool, request.digest, request.because, null,
      request.policyVersion, request.submittedBy, at, request.id, JSON.stringify(draft), bytes, commitmentKey,
    )
    const deadline = opening.state === 'pending' ? at + request.expiresInMs : null
    insertRequest.run(request.id, ns, request.session, opening.state, deadline, deadline ?? at, deliveries.length > 0 ? 1 : 0)
    for (const delivery of deliveries) insertDelivery.run(request.id, delivery.channel, ns)
    journal.add(opening.entry)
    const opened: Request = { ...request, state: opening.state, version: 1, createdAt: at, deadline, progress: {} }
    return { kind: 'opened', request: opened }
  }

  function record({ call, session, entry, consume }: Recording): RecordResult {
    const before = known(call.session, call.callId)
    if (before !== undefined) return { kind: 'existing', ...before }
    const refusal = sessions.enter(session, now())
    if (refusal !== undefined) return { kind: 'refused', code: refusal }
    if (consume !== undefined && !grants.consume(consume)) return { kind: 'refused', code: 'grant_spent' }
    insertCall.run(
      ns, call.session, call.callId, call.verdict, call.tool, call.digest, call.because, call.rule ?? null,
      call.policyVersion, call.submittedBy, call.createdAt, null, null, call.bytes, call.commitmentKey,
    )
    journal.add(entry)
    return { kind: 'recorded' }
  }

  /** Undefined when it lost. */
  function apply(change: Change): { deadline: number | null } | undefined {
    const at = now()
    const keep = change.deadline === 'keep' ? 1 : 0
    const deadline = typeof change.deadline === 'object' ? at + change.deadline.inMs : null
    const guard = change.guard === 'before_deadline' ? 1 : change.guard === 'after_deadline' ? 2 : 0
    const row = update.get(
      change.to, JSON.stringify(change.progress), keep, deadline, keep, deadline,
      change.id, ns, change.version, change.from, guard, at, at,
    )
    if (row === undefined) return undefined
    if (row.delivered === 1) touchDeliveries.run(change.version + 1, change.id)
    if (change.grant !== undefined) grants.add(change.grant)
    journal.add(change.entry)
    return { deadline: row.deadline as number | null }
  }

  return {
    async lookup(session, callId) {
      return database.read(() => ({ session: sessions.find(session), known: known(session, callId) }))
    },
    open: (opening) => database.write(() => open(opening)),
    // Only a grant's use is waited for; a plain record may share the next commit.
    record: (recording) => database.write(() => record(recording), recording.consume === undefined ? 'linger' : 'now'),
    async transition(change) {
      const applied = await database.write(() => apply(change))
      if (applied !== undefined) return { won: true, ...applied }
      return { won: false, request: database.read(() => get(change.id)) }
    },
    async endSessions(ending) {
      try {
        return await database.write(() => {
          for (const change of ending.changes) apply(change) ?? lose()
          const live = sql(
            `SELECT id FROM requests WHERE ns = ? AND session = ? AND state IN (${LIVE})`,
          )
          const covered = new Set(ending.changes.map((change) => change.id))
          for (const session of ending.sessions) {
            for (const row of live.all(ns, session)) if (!covered.has(String(row.id))) lose()
            sessions.end(session, now(), ending.by, ending.reason)
          }
          journal.add(ending.entry)
          return { won: true }
        })
      } catch (error) {
        if (error === LOST) return { won: false }
        if ((error as { cause?: unknown }).cause === LOST) return { won: false }
        throw error
      }
    },
    async get(id) {
      return database.read(() => get(id))
    },
    async list(query) {
      const limit = pageLimit(query.limit)
      const [sortAt, id] = readCursor(query.cursor, [0, ''])
      const inSession = query.session === undefined ? '' : ' AND r.session = ?'
      const rows = database.read(() =>
        sql(
          `SELECT ${COLUMNS} FROM requests r JOIN calls c ON c.seq = r.seq
           WHERE r.ns = ? AND r.state = ? AND (r.sort_at, r.id) > (?, ?)${inSession} ORDER BY r.sort_at, r.id LIMIT ?`,
        ).all(ns, query.state, Number(sortAt), String(id), ...(query.session === undefined ? [] : [query.session]), limit + 1),
      )
      const last = rows[limit - 1]
      const items = rows.slice(0, limit).map(toRequest)
      return rows.length > limit && last ? { items, cursor: writeCursor([last.sort_at!, last.id!]) } : { items }
    },
    async count(state: RequestState) {
      return Number(
        database.read(() => sql('SELECT count(*) AS count FROM requests WHERE ns = ? AND state = ?').get(ns, state))?.count,
      )
    },
    async due(limit) {
      const at = now()
      const rows = database.read(() =>
        sql(
          `SELECT ${COLUMNS} FROM requests r JOIN calls c ON c.seq = r.seq
           WHERE r.ns = ? AND r.state IN (${LIVE}) AND r.sort_at <= ? ORDER BY r.sort_at LIMIT ?`,
        ).all(ns, at, limit),
      )
      return rows.map(toRequest)
    },
    async nextDeadline() {
      const deadlines = database.read(() =>
        LIVE_STATES.map(
          (state) => sql('SELECT min(sort_at) AS at FROM requests WHERE ns = ? AND state = ?').get(ns, state)?.at ?? null,
        ),
      ).filter((at) => at !== null)
      return deadlines.length === 0 ? undefined : Math.min(...deadlines.map(Number))
    },
  }
}

const LOST = new Error('a change lost')

function lose(): never {
  throw LOST
}

function toRequest(row: Row): Request {
  const draft = JSON.parse(String(row.draft)) as Omit<RequestDraft, 'bytes' | 'commitmentKey'>
  return {
    ...draft,
    bytes: String(row.bytes),
    commitmentKey: String(row.commitment_key),
    state: row.state as RequestState,
    version: Number(row.version),
    createdAt: Number(row.created_at),
    deadline: row.deadline === null ? null : Number(row.deadline),
    progress: JSON.parse(String(row.progress)) as Request['progress'],
  }
}
