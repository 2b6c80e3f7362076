/** What the drivers that speak SQL keep in columns of the same names, and how a row becomes what it was. */

import type { Grant } from '../core/grants/grant.ts'
import { parseJson } from '../core/json/parse-json.ts'
import type { Request, RequestDraft, RequestState } from '../core/request.ts'
import type { Role, Session } from '../core/session.ts'
import type { Entry, EntryType } from '../journal/entry.ts'
import type { CallRecord, Delivery, Lease, PastCall, Presence, StoredRecord, Token } from './store.ts'

type SqlRow = Readonly<Record<string, unknown>>

type Columns =
  | 'id'
  | 'session'
  | 'callId'
  | 'tool'
  | 'digest'
  | 'because'
  | 'policyVersion'
  | 'submittedBy'
  | 'bytes'
  | 'commitmentKey'

/** What of a draft has no column of its own and is kept as JSON. */
export function restOf(draft: RequestDraft): Omit<RequestDraft, Columns> {
  const {
    id: _id,
    session: _session,
    callId: _callId,
    tool: _tool,
    digest: _digest,
    because: _because,
    policyVersion: _policyVersion,
    submittedBy: _submittedBy,
    bytes: _bytes,
    commitmentKey: _commitmentKey,
    ...rest
  } = draft
  return rest
}

export function toRequest(row: SqlRow): Request {
  return {
    ...parseJson<Omit<RequestDraft, Columns>>(String(row.draft)),
    id: String(row.id),
    session: String(row.session),
    callId: String(row.call_id),
    tool: String(row.tool),
    digest: String(row.digest),
    because: String(row.because),
    policyVersion: String(row.policy_version),
    submittedBy: String(row.submitted_by),
    bytes: String(row.bytes),
    commitmentKey: String(row.commitment_key),
    state: row.state as RequestState,
    version: Number(row.version),
    createdAt: Number(row.created_at),
    deadline: row.deadline === null ? null : Number(row.deadline),
    progress: parseJson<Request['progress']>(String(row.progress)),
  }
}

export function toCall(row: SqlRow): CallRecord {
  return {
    session: String(row.session),
    callId: String(row.call_id),
    tool: String(row.tool),
    digest: String(row.digest),
    bytes: String(row.bytes),
    commitmentKey: String(row.commitment_key),
    verdict: row.verdict as 'allow' | 'deny',
    because: String(row.because),
    ...reasonIn(row.draft),
    ...(row.rule === null ? {} : { rule: String(row.rule) }),
    policyVersion: String(row.policy_version),
    submittedBy: String(row.submitted_by),
    createdAt: Number(row.created_at),
  }
}

/** Of a call that nobody was asked about, what has no column of its own: it lies where the draft of a request does. */
export function restOfCall({ reason }: Pick<CallRecord, 'reason'>): string | null {
  return reason === undefined ? null : JSON.stringify({ reason })
}

export function reasonIn(draft: unknown): Pick<CallRecord, 'reason'> {
  if (typeof draft !== 'string') return {}
  const { reason } = parseJson<Pick<CallRecord, 'reason'>>(draft)
  return reason === undefined ? {} : { reason }
}

export function toPast(row: SqlRow): PastCall {
  const { commitmentKey: _, verdict: __, reason: ___, ...call } = toCall(row)
  return {
    ...call,
    verdict: row.verdict as PastCall['verdict'],
    ...(row.request === null
      ? {}
      : { request: { id: String(row.request), state: row.state as RequestState } }),
  }
}

export function toGrant(row: SqlRow): Grant {
  return {
    ...parseJson<Grant>(String(row.body)),
    uses: Number(row.uses),
    ...(row.expires_at === null ? {} : { expiresAt: Number(row.expires_at) }),
    ...(row.uses_left === null ? {} : { usesLeft: Number(row.uses_left) }),
    ...(row.revoked_at === null
      ? {}
      : { revoked: { at: Number(row.revoked_at), by: String(row.revoked_by) } }),
  }
}

/** One row that can't be read hides no other. */
export function readableRows<T>(
  rows: readonly SqlRow[],
  read: (row: SqlRow) => T,
  report: ((fault: { doing: string; error: unknown }) => void) | undefined,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)]
    } catch (error) {
      report?.({ doing: `reading the row ${String(row.id)}`, error })
      return []
    }
  })
}

export function toToken(row: SqlRow): Token {
  const token = parseJson<Token>(String(row.body))
  return row.revoked_at === null ? token : { ...token, revokedAt: Number(row.revoked_at) }
}

export function toRecord(row: SqlRow): StoredRecord {
  return {
    kind: String(row.kind),
    key: String(row.key),
    value: parseJson(String(row.value)),
    version: Number(row.version),
    ...(row.expires_at === null ? {} : { expiresAt: Number(row.expires_at) }),
  }
}

export function toPresence(row: SqlRow): Presence {
  return {
    channel: String(row.channel),
    connection: String(row.connection),
    subject: String(row.subject),
    ...(row.conversation === null ? {} : { conversation: String(row.conversation) }),
  }
}

export function toDelivery(row: SqlRow): Delivery {
  return {
    request: String(row.request),
    channel: String(row.channel),
    shownVersion: Number(row.shown_version),
    attempts: Number(row.attempts),
    ticket: Number(row.ticket),
    ...(row.reference === null ? {} : { reference: parseJson(String(row.reference)) }),
  }
}

export function toLease(row: SqlRow): Lease {
  return {
    name: String(row.name),
    holder: String(row.holder),
    fence: Number(row.fence),
    until: Number(row.until),
    ...(row.note === null ? {} : { note: parseJson(String(row.note)) }),
  }
}

export function toEntry(row: SqlRow): Entry {
  return {
    chain: String(row.chain),
    n: Number(row.n),
    type: row.type as EntryType,
    ...(row.request === null ? {} : { request: String(row.request) }),
    ...(row.version === null ? {} : { version: Number(row.version) }),
    body: String(row.body),
  }
}

export function toSession(row: SqlRow): Session {
  const { id, owner, owner_role, parent, mode, created_at, ended_at, ended_by, ended_reason } = row
  return sessionOf([id, owner, owner_role, parent, mode, created_at, ended_at, ended_by, ended_reason])
}

/** From its columns in this order. */
export function sessionOf(columns: readonly unknown[]): Session {
  const [id, owner, ownerRole, parent, mode, createdAt, endedAt, endedBy, endedReason] = columns
  const session: Session = {
    id: String(id),
    owner: String(owner),
    ownerRole: ownerRole as Role,
    createdAt: Number(createdAt),
  }
  if (parent !== null) session.parent = String(parent)
  if (mode !== null) session.mode = String(mode)
  if (endedAt !== null) session.ended = { at: Number(endedAt), by: String(endedBy) }
  if (session.ended !== undefined && endedReason !== null) session.ended.reason = String(endedReason)
  return session
}
