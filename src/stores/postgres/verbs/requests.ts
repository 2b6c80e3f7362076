/** Requests and calls in Postgres: the verbs that carry P1, P2 and P4. */

import type { CallHold } from '../../../core/call-hold.ts'
import { defined } from '../../../core/defined.ts'
import type { Grant } from '../../../core/grants/grant.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { RequestDraft } from '../../../core/request.ts'
import { reasonIn, restOf, restOfCall, toSession } from '../../sql-rows.ts'
import type {
  CallRecord,
  Change,
  EndResult,
  Lookup,
  Opening,
  OpenResult,
  RecordResult,
  RequestVerbs,
} from '../../store.ts'
import type { Row } from '../database/connections.ts'
import type { Database } from '../database/database.ts'
import { toServerNumber } from '../database/server-numbers.ts'
import { FINAL, holdToJson } from './calls.ts'
import { entryToJson } from './journal.ts'
import { createRequestLists } from './request-lists.ts'

type KnownBefore = NonNullable<Lookup['known']>

type OpenAnswer =
  | { kind: 'opened'; at: number }
  | ({ kind: 'before' } & KnownBefore)
  | Extract<OpenResult, { kind: 'refused' }>

type RequestsChanged = { won: true; deadlines: (number | null)[] } | { won: false; lost: string[] }

export function createRequests(database: Database, ns: string, at: () => number | null): RequestVerbs {
  const { schema } = database
  const { find, ...lists } = createRequestLists(database, ns, at)
  // One statement, so that all of it is of the same moment whatever another node commits.
  const lookup = `SELECT l.*, CASE WHEN l.digest IS NOT NULL AND l.request IS NULL THEN
      (SELECT c.draft FROM ${schema}.calls c WHERE c.key = ${schema}.inner_key_v1($1, $2, $3)) END AS rest
    FROM ${schema}.lookup_v2($1, $2, $3, $4) l`

  async function open(opening: Opening): Promise<OpenResult> {
    const { request, state } = opening
    const result = await database.write<OpenAnswer>(openOperation(opening), [opening.entry])
    if (result.kind === 'refused') return { kind: 'refused', code: result.code }
    if (result.kind === 'before') return alreadyThere(request, result)
    const { at: createdAt } = result
    const deadline = state === 'pending' ? createdAt + toServerNumber(request.expiresInMs) : null
    return { kind: 'opened', request: { ...request, state, version: 1, createdAt, deadline, progress: {} } }
  }

  async function alreadyThere(request: RequestDraft, before: KnownBefore): Promise<OpenResult> {
    const { digest, verdict, because } = before
    if (digest !== request.digest) return { kind: 'conflict', digest }
    const existing = before.request === undefined ? undefined : await find(before.request)
    if (existing !== undefined) return { kind: 'existing', request: existing }
    return { kind: 'known', digest, verdict: verdict as 'allow' | 'deny', because }
  }

  async function change(changes: readonly Change[]): Promise<RequestsChanged> {
    const ids = new Set<string>()
    const twice = new Set<string>()
    for (const { id } of changes) (ids.has(id) ? twice : ids).add(id)
    const result = await database.write<RequestsChanged>(
      { do: 'transition', twice: [...twice], changes: changes.map(toOperation) },
      changes.map(({ entry }) => entry),
    )
    if (result.won) return result
    const lost = new Set(result.lost)
    return { won: false, lost: [...ids].filter((id) => lost.has(id)) }
  }

  return database.verbs<RequestVerbs>({
    async lookup(session, callId, tool) {
      const [row] = await database.read(lookup, [ns, session, callId, tool])
      return {
        granted: row?.granted === true,
        session: row === undefined || row.id === null ? undefined : toSession(row),
        known: row === undefined || row.digest === null ? undefined : toKnown(row),
      }
    },
    open,
    async record({ call, session, entry, consume, succeeds }) {
      const operation = {
        do: 'record',
        call: plainCall(call),
        session,
        consume,
        ...following(succeeds),
        entry: entryToJson(entry),
      }
      return toRecordResult(await database.write<RecordResult>(operation, [entry]))
    },
    // Nobody waits for these, so they may share the next batch.
    async recordAll({ calls, entry, isAwaited }) {
      const { results } = await database.write<{ results: RecordResult[] }>(
        {
          do: 'recordAll',
          calls: calls.map(({ call, session }) => ({ call: plainCall(call), session })),
          entry: entryToJson(entry),
        },
        [entry],
        isAwaited === true ? undefined : { weight: calls.length },
      )
      return results.map(toRecordResult)
    },
    async transition(one) {
      const result = await change([one])
      return result.won
        ? { won: true, deadline: result.deadlines[0]! }
        : { won: false, request: await find(one.id) }
    },
    async transitionAll(changes) {
      const result = await change(changes)
      if (result.won) return { won: true, deadlines: result.deadlines }
      const lost = result.lost.map(async (id) => ({ id, request: await find(id) }))
      return { won: false, lost: await Promise.all(lost) }
    },
    async endSessions({ sessions, by, reason, changes, entry }) {
      const { won } = await database.write<EndResult>(
        {
          do: 'endSessions',
          sessions,
          by,
          reason,
          changes: changes.map(toOperation),
          entry: entryToJson(entry),
        },
        [...changes.map((one) => one.entry), entry],
      )
      return { won }
    },
    get: find,
    ...lists,
  })
}

function openOperation({ request, state, session, deliveries, maxPending, succeeds, entry }: Opening) {
  const { id, callId, tool, digest, because, policyVersion, submittedBy, bytes, commitmentKey } = request
  return {
    do: 'open',
    state,
    session,
    request: {
      id,
      session: request.session,
      callId,
      tool,
      digest,
      because,
      policyVersion,
      submittedBy,
      bytes,
      commitmentKey,
      draft: JSON.stringify(restOf(request)),
    },
    expiresInMs: toServerNumber(request.expiresInMs),
    maxPending: toServerNumber(maxPending),
    channels: deliveries.map(({ channel }) => channel),
    ...following(succeeds),
    entry: entryToJson(entry),
  }
}

/** Only what is final is followed. */
function following(succeeds: string | undefined): object {
  return succeeds === undefined ? {} : { succeeds, final: FINAL }
}

function plainCall({ hold, reason, ...call }: CallRecord): object {
  const createdAt = toServerNumber(call.createdAt)
  const draft = restOfCall(defined({ reason }))
  return {
    ...call,
    createdAt,
    ...(draft === null ? {} : { draft }),
    ...(hold === undefined ? {} : { hold: holdToJson(hold) }),
  }
}

function toOperation(change: Change): object {
  const { id, version, from, to, progress, deadline, guard, grant, result, entry } = change
  return {
    id,
    version,
    from,
    to,
    progress: JSON.stringify(progress),
    ...plainDeadline(deadline),
    guard,
    result,
    ...(grant === undefined ? {} : { grant: plainGrant(grant) }),
    entry: entryToJson(entry),
  }
}

function plainDeadline(deadline: Change['deadline']): object {
  if (typeof deadline === 'string') return { deadline }
  return 'at' in deadline ? { at: toServerNumber(deadline.at) } : { inMs: toServerNumber(deadline.inMs) }
}

function plainGrant({ expiresAt, usesLeft, uses, revoked: _, ...body }: Grant): object {
  return {
    id: body.id,
    tool: body.tool,
    session: body.session,
    ...(expiresAt === undefined ? {} : { expiresAt: toServerNumber(expiresAt) }),
    ...(usesLeft === undefined ? {} : { usesLeft: toServerNumber(usesLeft) }),
    uses: toServerNumber(uses),
    body: JSON.stringify(body),
  }
}

function toRecordResult(result: RecordResult): RecordResult {
  switch (result.kind) {
    case 'recorded':
      return { kind: 'recorded' }
    case 'refused':
      return { kind: 'refused', code: result.code }
    default:
      return result
  }
}

function toKnown(row: Row): KnownBefore {
  return {
    digest: String(row.digest),
    verdict: row.verdict as KnownBefore['verdict'],
    because: String(row.because),
    ...(row.request === null ? {} : { request: String(row.request) }),
    ...reasonIn(row.rest),
    ...(row.hold === null ? {} : { hold: parseJson<CallHold>(String(row.hold)) }),
  }
}
