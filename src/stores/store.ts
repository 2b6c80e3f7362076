/**
 * The store's contract. The gateway is the only caller, and every promise that must outlive a crash is kept
 * here. Every driver passes the suite in `testing/store-suite.ts`.
 *
 * What MUST hold
 * - Each verb is atomic with the journal entries handed to it: all of it is there after a crash, or none of it.
 *   It resolves only after its transaction is durable (for the memory store: applied).
 * - Entries get the next number of their chain, from 1, without a gap, and are told it after the commit, once. A verb
 *   that lost, was refused or failed changes nothing at all, writes no entry and uses up no number. A chain is written
 *   through one store object only. A verb fails when the number would not be above the one that an entry `follows`.
 * - `transition` is a compare-and-set on version and state. Of any number of concurrent calls with the same
 *   version, from any number of processes, at most one wins (P2, P4). The losers are given the request as it is.
 * - A session belongs to its owner. To anyone else `open` and `record` say `not_yours` before they say anything else
 *   of it. A call id that was used in the session is told next, and only then that the session has ended.
 * - Deadlines, grants and leases are compared with the store's own time, inside the transaction.
 *   `deadline <= now` is due, `expiresAt <= now` is expired.
 * - After `watch`'s listener was called for a change, a read sees that change. The listener is a hint: it may
 *   come late, twice or for nothing, and after a reconnect it comes at least once.
 * - A call id names one call of its session: the newest, where requests follow one another. Holds and results are told by
 *   `lookup` and `calls.result` alone.
 * - Bytes and texts come back exactly as they went in, whatever characters they hold (lone surrogates are none).
 *   Changing what was handed in or out afterwards changes nothing in the store.
 *
 * What MUST NOT happen
 * - No verb resolves as a success when it can't tell whether it was committed: it throws `store_unavailable`, and
 *   the caller reads again.
 * - No error but a `BanksmanError` leaves a store: `store_…`, `schema_newer`, `closed`, or `invalid` for a cursor that no
 *   list gave out and for names of records that are too long. A verb that names a new thing by an id that is taken fails with `store_unavailable`.
 * - A store never decides anything: it knows states and versions, not policies or people.
 */

import type { CallHold } from '../core/call-hold.ts'
import type { Grant } from '../core/grants/grant.ts'
import type { JsonValue } from '../core/json/json.ts'
import type { Reason } from '../core/reasons/reason.ts'
import type { Progress, Request, RequestDraft, RequestState } from '../core/request.ts'
import type { Role, Session, TokenUse } from '../core/session.ts'
import type { VerdictKind } from '../core/verdict.ts'
import type { Entry, EntryDraft } from '../journal/entry.ts'
import type { CallRecord, CallVerbs } from './call-verbs.ts'
import type { DeliveryDraft, DeliveryVerbs } from './delivery-verbs.ts'
import type { LeaseVerbs } from './lease-verbs.ts'
import type { RecordVerbs } from './record-verbs.ts'
import type { TurnVerbs } from './turn-verbs.ts'

export type { CallRecord, CallVerbs, HoldChange, HoldResult, PastCall } from './call-verbs.ts'
export type { Delivery, DeliveryDraft, DeliveryVerbs, TakenDelivery } from './delivery-verbs.ts'
export type { Lease, LeaseVerbs } from './lease-verbs.ts'
export type { RecordChange, RecordChangeResult, RecordVerbs, StoredRecord } from './record-verbs.ts'
export type { TurnAppending, TurnVerbs } from './turn-verbs.ts'

export interface Store {
  /** For logs and errors: `memory`, `sqlite`, … */
  readonly name: string
  /**
   * The store's time, in milliseconds since the epoch. Where the store is a server this is what its clock is taken to
   * say, and good for timers and for texts: what is compared with a deadline, a lease or an expiry is its own clock.
   */
  now(): number

  /** What is known of a session, of a call id in it, and of grants for the tool, in one read. */
  lookup(session: string, callId: string, tool: string): Promise<Lookup>
  /** Commits a new request with its session (if that is new), its deliveries and its entry (P1). */
  open(opening: Opening): Promise<OpenResult>
  /** Commits a call that grants covered, with one use of each: all of it, or nothing where one of them is spent. */
  record(recording: Recording): Promise<RecordResult>
  /**
   * Commits calls that the policy allowed or denied, with one entry for all of them. Each has a result of its own, in the
   * same order; one that is refused or already there does not hold up the others. The entry is written in any case: the calls
   * were judged, and may have run.
   */
  recordAll(batch: RecordBatch): Promise<RecordResult[]>
  transition(change: Change): Promise<TransitionResult>
  /**
   * Changes several requests in one step, all or nothing. It MUST lose when any change loses, and names every one that
   * does, with the request as it is. A request that is among the changes twice loses.
   */
  transitionAll(changes: readonly Change[]): Promise<TransitionAllResult>
  /**
   * Ends sessions and changes requests in one step, all or nothing. It MUST lose when any change loses, when a
   * pending, approved or running request of those sessions is not among the changes, or when one of those sessions
   * has started another that goes on and is not among them. A session that has ended keeps how it ended.
   */
  endSessions(ending: Ending): Promise<EndResult>

  get(id: string): Promise<Request | undefined>
  /**
   * By state and session, ordered by (deadline or creation, id). Without a state: those in any state, in the same order; one
   * that moves to another state meanwhile may be missed, or come on two pages. At most 200 at a time.
   */
  list(query: ListQuery): Promise<Page<Request>>
  /** How many requests are in the state. */
  count(state: RequestState): Promise<number>
  /** Pending, approved and running requests whose deadline has come, the longest overdue first. */
  due(limit: number): Promise<Request[]>
  /** When the next deadline comes; undefined when there is none. */
  nextDeadline(): Promise<number | undefined>

  readonly calls: CallVerbs
  readonly grants: GrantVerbs
  readonly sessions: SessionVerbs
  readonly turns: TurnVerbs
  readonly tokens: TokenVerbs
  readonly presence: PresenceVerbs
  readonly deliveries: DeliveryVerbs
  readonly leases: LeaseVerbs
  readonly records: RecordVerbs
  readonly journal: JournalVerbs
  /** Small values of the installation itself, such as the applied configuration, and what sessions have steered. */
  readonly settings: SettingVerbs

  /** The listener is told that something may have changed. */
  watch(listener: (hint: Hint) => void): () => void
  /** Throws `schema_newer` once a newer version has changed the tables under this one. Absent: no other version can. */
  checkSchema?(): Promise<void>
  /**
   * Waits for what is under way, then lets go of the file or connection. Later calls of any verb throw `closed`; a
   * second `close` is none of them and does nothing.
   */
  close(): Promise<void>
}

export interface Hint {
  /** This store object changed it. */
  local: boolean
  /** Of the requests only these have changed, and there are entries about them. Absent: any may have. */
  requests?: readonly string[]
  /**
   * The server behind the store is another one than before, or one that was started anew: it may lack what was
   * acknowledged, where that was allowed. Because to the first listener that there is, and once.
   */
  replaced?: { from: string; to: string }
}

/** The verbs that carry a request through its life. */
export type RequestVerbs = Pick<
  Store,
  | 'lookup'
  | 'open'
  | 'record'
  | 'recordAll'
  | 'transition'
  | 'transitionAll'
  | 'endSessions'
  | 'get'
  | 'list'
  | 'count'
  | 'due'
  | 'nextDeadline'
>

export interface Lookup {
  session: Session | undefined
  /** Whether there is any grant for the tool, spent or not. False saves looking for one. */
  granted: boolean
  /** The call with this id in the session, whether it was asked for or not. */
  known: KnownCall | undefined
}

export interface KnownCall {
  digest: string
  /** Where people were asked: the newest request of this call. */
  request?: string
  verdict: VerdictKind
  because: string
  /** Of a call that nobody was asked about, told by `lookup` alone. Absent on what an earlier version wrote. */
  reason?: Reason
  /** Of a call that nobody was asked about: who took it to run, where that was written down. */
  hold?: CallHold
}

export interface SessionDraft {
  id: string
  owner: string
  ownerRole: Role
  /** A new session takes over the mode that its parent has at that moment. */
  parent?: string
}

export interface Opening {
  request: RequestDraft
  /** `unreachable` where nobody can ever answer: recorded, and final at once. */
  state: 'pending' | 'unreachable'
  session: SessionDraft
  deliveries: DeliveryDraft[]
  /** With this many pending in the session, it is refused. */
  maxPending: number
  /**
   * The id of the final request of the same call id and digest that this one follows. It is opened only if that is still the
   * newest request of the call id; of several openings one wins, and the others are told `existing`, `known` or `conflict`.
   * The one before stays in every list and in the history as it is. With it, a call id that is not in use is a fault.
   */
  succeeds?: string
  entry: EntryDraft
}

export type OpenResult =
  | { kind: 'opened'; request: Request }
  /** The same id and digest: the request that is already there. */
  | { kind: 'existing'; request: Request }
  /** The id was used by a call that no request was opened for; `digest` is that call's. */
  | { kind: 'known'; digest: string; verdict: 'allow' | 'deny'; because: string }
  /** The id was used for another digest. */
  | { kind: 'conflict'; digest: string }
  | { kind: 'refused'; code: 'session_ended' | 'not_yours' | 'too_many_pending' }

export interface Recording {
  call: CallRecord
  session: SessionDraft
  entry: EntryDraft
  /** The call is allowed by these grants together: one use of each is consumed in the same transaction. */
  consume?: readonly string[]
  /** As in `Opening`: the call takes the place of that request as the newest of its call id. */
  succeeds?: string
}

export interface RecordBatch {
  /** Somebody waits for it. Without it, it may be held back for a moment to be written with others. */
  isAwaited?: boolean
  calls: { call: CallRecord; session: SessionDraft }[]
  entry: EntryDraft
}

export type RecordResult =
  | { kind: 'recorded' }
  | ({ kind: 'existing' } & Omit<KnownCall, 'hold'>)
  /** `grant_spent`: one of the grants was revoked, had expired or had no use left; nothing was recorded or consumed. */
  | { kind: 'refused'; code: 'session_ended' | 'not_yours' | 'grant_spent' }

export interface Change {
  id: string
  /** What the request must be now. */
  version: number
  from: RequestState
  to: RequestState
  /** Takes the place of the whole `progress`. */
  progress: Progress
  /** The deadline of the new state: counted from the store's time at the commit, or a moment. `keep` leaves it as it is. */
  deadline: { inMs: number } | { at: number } | 'keep' | 'none'
  /** The deadline of the old state must not have come (`before`), or must have come (`after`). None never comes. */
  guard?: 'before_deadline' | 'after_deadline'
  /** A grant that the decision leaves behind. */
  grant?: Grant
  /** The tool's result as JSON text, kept with the call until its bytes are erased. Dropped where they are erased already. */
  result?: string
  entry: EntryDraft
}

export type TransitionResult =
  /** The caller knows the rest: the change it asked for, one version up. */
  | { won: true; deadline: number | null }
  /** `request` is undefined when there is none with this id. */
  | { won: false; request: Request | undefined }

export type TransitionAllResult =
  /** In the order of the changes. */
  | { won: true; deadlines: (number | null)[] }
  | { won: false; lost: { id: string; request: Request | undefined }[] }

export interface Ending {
  sessions: string[]
  by: string
  reason?: string
  changes: Change[]
  /** The ending itself. */
  entry: EntryDraft
}

export type EndResult = { won: boolean }

export interface ListQuery {
  /** Absent: in any state. */
  state?: RequestState
  session?: string
  /** Only those that this subject submitted. */
  submittedBy?: string
  limit?: number
  cursor?: string
}

export interface Page<T> {
  items: T[]
  /** Opaque; absent on the last page. */
  cursor?: string
}

export interface GrantVerbs {
  /** Those that could cover a call of this tool in this session (or in all), and are not spent. */
  find(query: { tool: string; sessions: string[] }): Promise<Grant[]>
  list(query: { limit?: number; cursor?: string }): Promise<Page<Grant>>
  get(id: string): Promise<Grant | undefined>
  /** False when there is none, or when it was revoked before. */
  revoke(id: string, by: string, entry: EntryDraft): Promise<boolean>
}

export interface SessionVerbs {
  get(id: string): Promise<Session | undefined>
  /** Those of the named sessions that exist, each once, in any order, in one round trip. */
  getAll(ids: readonly string[]): Promise<Session[]>
  /**
   * The newest first, and of those made in one millisecond the one with the greater id first: a page goes on where the
   * last one ended, whatever was made meanwhile. With `owner`: only theirs.
   */
  list(query: { owner?: string; limit?: number; cursor?: string }): Promise<Page<Session>>
  /** The session and all that were started by it, however deep. */
  family(id: string): Promise<Session[]>
  setMode(id: string, mode: string, entry: EntryDraft): Promise<boolean>
}

export interface Token {
  id: string
  /** SHA-256 of the secret. The secret itself is never stored. */
  secretHash: string
  role: Role
  subject: string
  namespace: string
  label?: string
  createdAt: number
  createdBy: string
  expiresAt?: number
  /** `login`: a single-use code that is exchanged for a key. `cookie`: nothing without the key with the hash `keyHash`. */
  use: TokenUse
  keyHash?: string
  /** A key that a login code was exchanged for. Whoever holds it may log out with it. */
  isFromLogin?: true
  /** The one thing that it is good for, such as `hooks:codex`. Absent: all that its role may. */
  scope?: string
  revokedAt?: number
}

export interface TokenVerbs {
  create(token: Token, entry: EntryDraft): Promise<void>
  /** As it is, revoked and expired ones too: the caller looks at `revokedAt` and `expiresAt`. */
  find(secretHash: string): Promise<Token | undefined>
  list(): Promise<Token[]>
  /** False when there is none, or when it was revoked before. */
  revoke(id: string, entry: EntryDraft): Promise<boolean>
  /**
   * Revokes a login code and creates the key in one step. False when the code was used, has expired, was revoked, or
   * is no login code.
   */
  exchange(codeId: string, key: Token, entry: EntryDraft): Promise<boolean>
}

/** Somebody is connected to a live channel, until the lease ends (P8). */
export interface Presence {
  channel: string
  /** Tells connections of one channel apart. */
  connection: string
  subject: string
  /** The conversation that the connection belongs to, where the channel has such. */
  conversation?: string
}

export interface PresenceVerbs {
  renew(presence: Presence, leaseMs: number): Promise<void>
  leave(channel: string, connection: string): Promise<void>
  list(channel: string): Promise<Presence[]>
}

export interface JournalVerbs {
  /** For what is on the record but changes no request. */
  append(entry: EntryDraft): Promise<void>
  chains(): Promise<{ chain: string; last: number }[]>
  /** Entries with a number above `after`, in order. */
  read(chain: string, after: number, limit: number): Promise<Entry[]>
  /** What happened after the cursor, in an order in which nothing is ever inserted before what was read. */
  feed(after: string | undefined, limit: number): Promise<Feed>
  /** The newest cursor. */
  cursor(): Promise<string>
}

export interface Feed {
  events: { cursor: string; entry: Entry }[]
  /** False when the cursor is not one of ours, or when what lies between can't be shown. */
  complete: boolean
}

export interface SettingVerbs {
  get(key: string): Promise<JsonValue | undefined>
  set(key: string, value: JsonValue, entry?: EntryDraft): Promise<void>
  /** Sets it if it is still what `get` gave; false where another has changed it since, and then nothing is changed. */
  change(key: string, before: JsonValue | undefined, value: JsonValue, entry?: EntryDraft): Promise<boolean>
}
