/** Requests and calls in SQLite: the verbs that carry P1, P2 and P4. */
import type { Request } from '../../core/request.ts'
import type {
  Change,
  Ending,
  EndResult,
  Lookup,
  Opening,
  OpenResult,
  Recording,
  RecordResult,
  Store,
} from '../store.ts'
import { type Database, Undo } from './database.ts'
import type { SqliteGrants } from './grants.ts'
import type { SqliteJournal } from './journal.ts'
import { createRequestLists, IS_LIVE } from './request-lists.ts'
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
  | 'lookup'
  | 'open'
  | 'record'
  | 'transition'
  | 'endSessions'
  | 'get'
  | 'list'
  | 'count'
  | 'due'
  | 'nextDeadline'
>

export function createRequests({ database, ns, now, journal, sessions, grants }: RequestParts): RequestVerbs {
  const sql = (text: string) => database.statement(text)
  const { find, ...lists } = createRequestLists(database, ns, now)
  const callById = sql(
    'SELECT digest, verdict, request, because FROM calls WHERE ns = ? AND session = ? AND call_id = ?',
  )
  const insertCall = sql(
    `INSERT INTO calls (ns, session, call_id, verdict, tool, digest, because, rule, policy_version, submitted_by,
       created_at, request, draft, bytes, commitment_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertRequest = sql(
    `INSERT INTO requests (seq, id, ns, session, state, version, deadline, sort_at, delivered, progress)
     VALUES (last_insert_rowid(), ?, ?, ?, ?, 1, ?, ?, ?, '{}')`,
  )
  const countPending = sql(
    `SELECT count(*) AS count FROM (SELECT 1 FROM requests r INDEXED BY requests_live
       WHERE ns = ? AND session = ? AND state = 'pending' AND ${IS_LIVE} LIMIT ?)`,
  )
  const insertDelivery = sql(
    `INSERT INTO deliveries (request, channel, ns, version, shown_version, due_at, attempts) VALUES (?, ?, ?, 1, 0, 0, 0)`,
  )
  const update = sql(
    `UPDATE requests SET state = ?, version = version + 1, progress = ?,
       deadline = CASE ? WHEN 1 THEN deadline ELSE ? END,
       sort_at = CASE ? WHEN 1 THEN sort_at ELSE coalesce(?, (SELECT created_at FROM calls WHERE seq = requests.seq)) END
     WHERE id = ? AND ns = ? AND version = ? AND state = ?
       AND CASE ? WHEN 1 THEN deadline IS NULL OR deadline > ? WHEN 2 THEN deadline <= ? ELSE 1 END
     RETURNING deadline, delivered`,
  )
  // A lease goes on: whoever is showing the old version finds out when it says `shown`.
  const touchDeliveries = sql('UPDATE deliveries SET version = ? WHERE request = ?')

  const live = sql(
    `SELECT id FROM requests r INDEXED BY requests_live WHERE ns = ? AND session = ? AND ${IS_LIVE}`,
  )

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
    const admission = sessions.admit(session)
    if (admission === 'not_yours') return { kind: 'refused', code: admission }
    const before = known(request.session, request.callId)
    if (before !== undefined) {
      if (before.digest !== request.digest) return { kind: 'conflict', digest: before.digest }
      const existing = before.request === undefined ? undefined : find(before.request)
      if (existing !== undefined) return { kind: 'existing', request: existing }
      return {
        kind: 'known',
        digest: before.digest,
        verdict: before.verdict as 'allow' | 'deny',
        because: before.because,
      }
    }
    if (admission === 'session_ended') return { kind: 'refused', code: admission }
    const waiting = Number(countPending.get(ns, request.session, opening.maxPending)?.count)
    if (waiting >= opening.maxPending) return { kind: 'refused', code: 'too_many_pending' }

    const at = now()
    if (admission === 'new') sessions.create(session, at)
    const { bytes, commitmentKey, ...draft } = request
    insertCall.run(
      ns,
      request.session,
      request.callId,
      'ask',
      request.tool,
      request.digest,
      request.because,
      null,
      request.policyVersion,
      request.submittedBy,
      at,
      request.id,
      JSON.stringify(draft),
      bytes,
      commitmentKey,
    )
    const deadline = opening.state === 'pending' ? at + request.expiresInMs : null
    insertRequest.run(
      request.id,
      ns,
      request.session,
      opening.state,
      deadline,
      deadline ?? at,
      deliveries.length > 0 ? 1 : 0,
    )
    for (const delivery of deliveries) insertDelivery.run(request.id, delivery.channel, ns)
    journal.add(opening.entry)
    const opened: Request = {
      ...request,
      state: opening.state,
      version: 1,
      createdAt: at,
      deadline,
      progress: {},
    }
    return { kind: 'opened', request: opened }
  }

  function record({ call, session, entry, consume }: Recording): RecordResult {
    const admission = sessions.admit(session)
    if (admission === 'not_yours') return { kind: 'refused', code: admission }
    const before = known(call.session, call.callId)
    if (before !== undefined) return { kind: 'existing', ...before }
    if (admission === 'session_ended') return { kind: 'refused', code: admission }
    if (consume !== undefined && !grants.consume(consume)) return { kind: 'refused', code: 'grant_spent' }
    if (admission === 'new') sessions.create(session, now())
    insertCall.run(
      ns,
      call.session,
      call.callId,
      call.verdict,
      call.tool,
      call.digest,
      call.because,
      call.rule ?? null,
      call.policyVersion,
      call.submittedBy,
      call.createdAt,
      null,
      null,
      call.bytes,
      call.commitmentKey,
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
      change.to,
      JSON.stringify(change.progress),
      keep,
      deadline,
      keep,
      deadline,
      change.id,
      ns,
      change.version,
      change.from,
      guard,
      at,
      at,
    )
    if (row === undefined) return undefined
    if (row.delivered === 1) touchDeliveries.run(change.version + 1, change.id)
    if (change.grant !== undefined) grants.add(change.grant)
    journal.add(change.entry)
    return { deadline: row.deadline as number | null }
  }

  function end(ending: Ending): EndResult {
    const lost: EndResult = { won: false }
    for (const change of ending.changes) if (apply(change) === undefined) throw new Undo(lost)
    const changed = new Set(ending.changes.map((change) => change.id))
    const ended = new Set(ending.sessions)
    const at = now()
    for (const session of ending.sessions) {
      if (live.all(ns, session).some((row) => !changed.has(String(row.id)))) throw new Undo(lost)
      if (sessions.openChildren(session).some((child) => !ended.has(child))) throw new Undo(lost)
      sessions.end(session, at, ending.by, ending.reason)
    }
    journal.add(ending.entry)
    return { won: true }
  }

  return {
    async lookup(session, callId) {
      return database.read(() => {
        // In this order: where there is a call there is its session, whatever another process commits in between.
        const call = known(session, callId)
        return { session: sessions.find(session), known: call }
      })
    },
    open: (opening) => database.write(() => open(opening)),
    // Only a grant's use is waited for; a plain record may share the next commit.
    record: (recording) =>
      database.write(() => record(recording), recording.consume === undefined ? 'linger' : 'now'),
    transition: (change) =>
      database.write(() => {
        const applied = apply(change)
        return applied === undefined ? { won: false, request: find(change.id) } : { won: true, ...applied }
      }),
    endSessions: (ending) => database.write(() => end(ending)),
    async get(id) {
      return database.read(() => find(id))
    },
    ...lists,
  }
}
