/** Requests and calls in SQLite: the verbs that carry P1, P2 and P4. */

import type { CallHold } from '../../../core/call-hold.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import { LIVE_STATES, type Request, type RequestDraft } from '../../../core/request.ts'
import { LAST_TIME } from '../../../core/time/duration.ts'
import type { VerdictKind } from '../../../core/verdict.ts'
import { deadlineOf } from '../../deadline-of.ts'
import { nothingToSucceed } from '../../no-call-to-follow.ts'
import { reasonIn, restOf, restOfCall, sessionOf } from '../../sql-rows.ts'
import type {
  CallRecord,
  Change,
  Ending,
  EndResult,
  Lookup,
  Opening,
  OpenResult,
  RecordBatch,
  Recording,
  RecordResult,
  RequestVerbs,
  TransitionAllResult,
} from '../../store.ts'
import { type Database, Undo } from '../database/database.ts'
import { FINAL } from './calls.ts'
import type { SqliteGrants } from './grants.ts'
import type { SqliteJournal } from './journal.ts'
import { overwriting } from './overwriting.ts'
import { createRequestLists, OF_SESSION } from './request-lists.ts'
import type { SqliteResults } from './results.ts'
import { SESSION_COLUMNS, type SqliteSessions } from './sessions.ts'

export interface SqliteRequestParts {
  database: Database
  ns: string
  now: () => number
  journal: SqliteJournal
  sessions: SqliteSessions
  grants: SqliteGrants
  results: SqliteResults
}

const LIVE = LIVE_STATES.map((state) => `'${state}'`).join(', ')

export function createRequests(parts: SqliteRequestParts): RequestVerbs {
  const { database, ns, now, journal, sessions, grants, results } = parts
  const sql = (text: string) => database.statement(text)
  const { find, ...lists } = createRequestLists(database, ns, now)
  const callById = database.tuples(
    'SELECT digest, verdict, because, request FROM calls WHERE ns = ? AND session = ? AND call_id = ?',
  )
  const anyGrant = 'EXISTS (SELECT 1 FROM grants g INDEXED BY grants_by_tool WHERE g.ns = ?1 AND g.tool = ?2)'
  // One statement, so that all of it comes of the same moment whatever another process commits.
  const lookup = database.tuples(
    `SELECT ${anyGrant}, c.digest, c.verdict, c.because, c.request, h.body AS hold,
       CASE WHEN c.request IS NULL THEN c.draft END, ${SESSION_COLUMNS} FROM sessions s
     LEFT JOIN calls c ON c.ns = s.ns AND c.session = s.id AND c.call_id = ?4 LEFT JOIN holds h ON h.seq = c.seq WHERE s.ns = ?1 AND s.id = ?3`,
  )
  const isGranted = database.tuples(`SELECT ${anyGrant}`)
  const insertCall = sql(
    `INSERT INTO calls (ns, session, call_id, verdict, tool, digest, because, rule, policy_version, submitted_by,
       created_at, request, draft, bytes, commitment_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (ns, session, call_id) DO NOTHING`,
  )
  const insertHold = sql('INSERT INTO holds (seq, body) VALUES (last_insert_rowid(), ?)')
  const stepAside = sql(
    `UPDATE calls SET own_call_id = call_id, call_id = ? WHERE ns = ? AND session = ? AND call_id = ? AND digest = ?
       AND request = ? AND EXISTS (SELECT 1 FROM requests r WHERE r.id = calls.request AND r.state IN (${FINAL}))`,
  )
  const insertRequest = sql(
    `INSERT INTO requests (seq, id, ns, session, state, version, deadline, sort_at, created_at, delivered, progress)
     VALUES (last_insert_rowid(), ?, ?, ?, ?, 1, ?, ?, ?, ?, '{}')`,
  )
  const insertDelivery = sql(
    `INSERT INTO deliveries (request, channel, ns, version, shown_version, due_at, attempts) VALUES (?, ?, ?, 1, 0, 0, 0)`,
  )
  const update = database.tuples(
    `UPDATE requests SET state = ?, version = version + 1, progress = ?,
       deadline = CASE ? WHEN 1 THEN deadline ELSE ? END,
       sort_at = CASE ? WHEN 1 THEN sort_at ELSE coalesce(?, created_at) END
     WHERE id = ? AND ns = ? AND version = ? AND state = ?
       AND CASE ? WHEN 1 THEN deadline IS NULL OR deadline > ? WHEN 2 THEN deadline <= ? ELSE 1 END
     RETURNING deadline, delivered, session`,
  )
  // A lease goes on: whoever is showing the old version finds out when it says `shown`.
  const touchDeliveries = sql('UPDATE deliveries SET version = ? WHERE request = ?')

  const live = sql(`SELECT r.id FROM ${OF_SESSION} AND r.state IN (${LIVE})`)

  function known(session: string, callId: string): Lookup['known'] {
    const row = callById.get(ns, session, callId)
    return row === undefined ? undefined : toKnown(row[0], row[1], row[2], row[3])
  }

  /** Makes room for a call that follows another one; false where something else has its id. */
  function makeRoom(call: { session: string; callId: string; digest: string }, succeeds: string): boolean {
    const { session, callId, digest } = call
    // A line break is in no call id that the gateway lets in. If it were, this would fail, and nothing be changed.
    const aside = stepAside.run(`${callId}\n${succeeds}`, ns, session, callId, digest, succeeds)
    if (Number(aside.changes) === 1) return true
    if (known(session, callId) === undefined) throw nothingToSucceed(callId)
    return false
  }

  function open(opening: Opening): OpenResult {
    const { request, session, deliveries, succeeds } = opening
    if (succeeds !== undefined) {
      if (sessions.admit(session) === 'not_yours') return { kind: 'refused', code: 'not_yours' }
      if (!makeRoom(request, succeeds)) return alreadyThere(request)
    }
    const at = now()
    const more = opening.state === 'pending' ? 1 : 0
    // Nearly always the session is there, open and the caller's own: then this one statement says so, and counts.
    const counted = sessions.addPending(session, more, opening.maxPending)
    if (!counted) {
      const admission = sessions.admit(session)
      if (admission === 'not_yours') return { kind: 'refused', code: admission }
      if (!insertAsked(request, at)) return alreadyThere(request)
      if (admission === 'session_ended') throw refused(admission)
      if (admission === 'open') throw refused('too_many_pending')
      sessions.create(session, at)
      if (!sessions.addPending(session, more, opening.maxPending)) throw refused('too_many_pending')
    } else if (!insertAsked(request, at)) {
      throw new Undo(alreadyThere(request))
    }
    const deadline = opening.state === 'pending' ? Math.min(at + request.expiresInMs, LAST_TIME) : null
    insertRequest.run(
      request.id,
      ns,
      request.session,
      opening.state,
      deadline,
      deadline ?? at,
      at,
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

  /** False when the id is taken in this session. */
  function insertAsked(request: RequestDraft, at: number): boolean {
    const { tool, digest, because, policyVersion, submittedBy, bytes, commitmentKey } = request
    const { changes } = insertCall.run(
      ns,
      request.session,
      request.callId,
      'ask',
      tool,
      digest,
      because,
      null,
      policyVersion,
      submittedBy,
      at,
      request.id,
      JSON.stringify(restOf(request)),
      bytes,
      commitmentKey,
    )
    return Number(changes) === 1
  }

  function alreadyThere(request: RequestDraft): OpenResult {
    const before = known(request.session, request.callId)!
    if (before.digest !== request.digest) return { kind: 'conflict', digest: before.digest }
    const existing = before.request === undefined ? undefined : find(before.request)
    if (existing !== undefined) return { kind: 'existing', request: existing }
    const { digest, because } = before
    return { kind: 'known', digest, verdict: before.verdict as 'allow' | 'deny', because }
  }

  /** False when the id is taken in its session. */
  function insertJudged(call: CallRecord): boolean {
    const { changes } = insertCall.run(
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
      restOfCall(call),
      call.bytes,
      call.commitmentKey,
    )
    if (Number(changes) !== 1) return false
    if (call.hold !== undefined) insertHold.run(JSON.stringify(call.hold))
    return true
  }

  function record({ call, session, entry, consume, succeeds }: Recording): RecordResult {
    const admission = sessions.admit(session)
    if (admission === 'not_yours') return { kind: 'refused', code: admission }
    if (succeeds !== undefined && !makeRoom(call, succeeds)) {
      return { kind: 'existing', ...known(call.session, call.callId)! }
    }
    if (!insertJudged(call)) return { kind: 'existing', ...known(call.session, call.callId)! }
    if (admission === 'session_ended') throw refused(admission)
    if (consume?.every(grants.consume) === false) throw refused('grant_spent')
    if (admission === 'new') sessions.create(session, now())
    journal.add(entry)
    return { kind: 'recorded' }
  }

  function recordAll({ calls, entry }: RecordBatch): RecordResult[] {
    const results = calls.map(({ call, session }): RecordResult => {
      const admission = sessions.admit(session)
      if (admission === 'not_yours') return { kind: 'refused', code: admission }
      if (admission === 'session_ended') {
        const before = known(call.session, call.callId)
        return before === undefined ? { kind: 'refused', code: admission } : { kind: 'existing', ...before }
      }
      if (!insertJudged(call)) return { kind: 'existing', ...known(call.session, call.callId)! }
      if (admission === 'new') sessions.create(session, now())
      return { kind: 'recorded' }
    })
    journal.add(entry)
    return results
  }

  /** Undefined when it lost. */
  function apply(change: Change): { deadline: number | null } | undefined {
    const at = now()
    const keep = change.deadline === 'keep' ? 1 : 0
    const deadline = change.deadline === 'keep' ? null : deadlineOf(change.deadline, at)
    const guard = change.guard === 'before_deadline' ? 1 : change.guard === 'after_deadline' ? 2 : 0
    const { edit, approved } = change.progress
    const move = () =>
      update.get(
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
    // An edit keeps its own copy of the arguments, and every later step writes the progress anew.
    const hasWords = edit !== undefined || approved?.bytes !== undefined
    const row = hasWords ? overwriting(database, move) : move()
    if (row === undefined) return undefined
    const [deadlineNow, delivered, session] = row
    const more = Number(change.to === 'pending') - Number(change.from === 'pending')
    if (more !== 0) sessions.countPending(String(session), more)
    if (delivered === 1) touchDeliveries.run(change.version + 1, change.id)
    if (change.grant !== undefined) grants.add(change.grant)
    if (change.result !== undefined) results.keepOfRequest(change.id, change.result)
    journal.add(change.entry)
    return { deadline: deadlineNow as number | null }
  }

  function applyAll(changes: readonly Change[]): TransitionAllResult {
    const ids = new Set<string>()
    const twice = new Set<string>()
    for (const { id } of changes) (ids.has(id) ? twice : ids).add(id)
    const deadlines: (number | null)[] = []
    const lost = new Set(twice)
    // All are tried, so that each that loses is named; what was changed meanwhile is taken back with the rest.
    for (const change of twice.size > 0 ? changes.filter(({ id }) => !twice.has(id)) : changes) {
      const applied = apply(change)
      if (applied === undefined) lost.add(change.id)
      else deadlines.push(applied.deadline)
    }
    if (lost.size === 0) return { won: true, deadlines }
    const named = [...ids].filter((id) => lost.has(id))
    const result: TransitionAllResult = {
      won: false,
      lost: named.map((id) => ({ id, request: find(id) })),
    }
    throw new Undo(result)
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
    async lookup(session, callId, tool) {
      return database.read(() => {
        const row = lookup.get(ns, tool, session, callId)
        if (row === undefined) {
          return { granted: isGranted.get(ns, tool)?.[0] === 1, session: undefined, known: undefined }
        }
        const [granted, digest, verdict, because, request, hold, rest, ...columns] = row
        const held = hold === null ? {} : { hold: parseJson<CallHold>(String(hold)) }
        return {
          granted: granted === 1,
          session: sessionOf(columns),
          known:
            digest === null
              ? undefined
              : { ...toKnown(digest, verdict, because, request), ...reasonIn(rest), ...held },
        }
      })
    },
    open: (opening) => database.write(() => open(opening)),
    record: (recording) => database.write(() => record(recording)),
    // Nobody waits for these, so they may share the next commit.
    recordAll: (batch) =>
      database.write(() => recordAll(batch), batch.isAwaited === true ? 'now' : 'linger', batch.calls.length),
    transition: (change) =>
      database.write(() => {
        const applied = apply(change)
        return applied === undefined ? { won: false, request: find(change.id) } : { won: true, ...applied }
      }),
    transitionAll: (changes) => database.write(() => applyAll(changes)),
    endSessions: (ending) => database.write(() => end(ending)),
    async get(id) {
      return database.read(() => find(id))
    },
    ...lists,
  }
}

function toKnown(
  digest: unknown,
  verdict: unknown,
  because: unknown,
  request: unknown,
): NonNullable<Lookup['known']> {
  return {
    digest: String(digest),
    verdict: verdict as VerdictKind,
    because: String(because),
    ...(request === null ? {} : { request: String(request) }),
  }
}

/** Takes back what the write did so far, and says why. */
function refused(code: 'session_ended' | 'too_many_pending' | 'grant_spent'): Undo {
  return new Undo({ kind: 'refused', code })
}
