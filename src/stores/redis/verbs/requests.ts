/** Requests and calls in Redis: the verbs that carry P1, P2 and P4. Each is one script. */

import type { CallHold } from '../../../core/call-hold.ts'
import { defined } from '../../../core/defined.ts'
import { parseJson } from '../../../core/json/parse-json.ts'
import type { Request } from '../../../core/request.ts'
import type {
  CallRecord,
  Change,
  EndResult,
  Opening,
  OpenResult,
  RecordResult,
  RequestVerbs,
  TransitionAllResult,
} from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { RedisReply } from '../database/link.ts'
import {
  callParameters,
  changeParameters,
  counted,
  entryParameters,
  followingParameters,
  milliseconds,
  optional,
  sessionParameters,
} from '../database/parameters.ts'
import { LOOKUP } from '../scripts/requests/lookup.ts'
import { OPEN } from '../scripts/requests/open.ts'
import { RECORD } from '../scripts/requests/record.ts'
import { RECORD_ALL } from '../scripts/requests/record-all.ts'
import { TRANSITION } from '../scripts/requests/transition.ts'
import { END_SESSIONS } from '../scripts/sessions/end-sessions.ts'
import { restOf, toKnown, toRequest } from './request-fields.ts'
import { createRequestLists } from './request-lists.ts'
import { toSession } from './sessions.ts'

export function createRequests(database: Database): RequestVerbs {
  async function open(opening: Opening): Promise<OpenResult> {
    const { request, state, session, deliveries, maxPending, succeeds, entry } = opening
    const { changed, told } = await database.write({
      script: OPEN,
      parameters: [
        ...entryParameters(entry),
        ...sessionParameters({ ...session, id: request.session }),
        String(maxPending),
        state,
        request.id,
        request.callId,
        request.submittedBy,
        milliseconds(request.expiresInMs),
        request.digest,
        request.because,
        request.bytes,
        request.commitmentKey,
        restOf(request),
        ...counted([...new Set(deliveries.map(({ channel }) => channel))]),
        ...followingParameters(succeeds),
      ],
      entries: [entry],
      requests: [request.id],
    })
    if (!changed) return notOpened(told)
    const deadline = told[1] === '' ? null : Number(told[1])
    const opened: Request = {
      ...request,
      state,
      version: 1,
      createdAt: Number(told[0]),
      deadline,
      progress: {},
    }
    return { kind: 'opened', request: opened }
  }

  async function transitionAll(changes: readonly Change[]): Promise<TransitionAllResult> {
    if (changes.length === 0) return { won: true, deadlines: [] }
    const { changed, told } = await database.write({
      script: TRANSITION,
      parameters: [String(changes.length), ...changes.flatMap(changeParameters)],
      entries: changes.map(({ entry }) => entry),
      requests: changes.map(({ id }) => id),
    })
    const each = told[0] as RedisReply[]
    if (changed) {
      return { won: true, deadlines: each.map((deadline) => (deadline === '' ? null : Number(deadline))) }
    }
    const lost = (each as RedisReply[][]).map(([id, fields]) => ({
      id: String(id),
      request: toRequest(String(id), fields),
    }))
    return { won: false, lost }
  }

  const { find, ...lists } = createRequestLists(database)

  return {
    lookup: (session, callId, tool) =>
      database.verb('looking up a call', async () => {
        const [granted, fields, known, hold, rest] = await database.read(LOOKUP, [session, callId, tool])
        const held = hold === '' ? {} : { hold: parseJson<CallHold>(String(hold)) }
        const { reason } = rest === '' ? {} : parseJson<Pick<CallRecord, 'reason'>>(String(rest))
        return {
          granted: granted === 1,
          session: toSession(session, fields),
          known:
            (known as RedisReply[]).length === 0
              ? undefined
              : { ...toKnown(known), ...defined({ reason }), ...held },
        }
      }),
    open: (opening) => database.verb('opening a request', () => open(opening)),
    record: ({ call, session, entry, consume = [], succeeds }) =>
      database.verb('recording a call', async () => {
        const { changed, told } = await database.write({
          script: RECORD,
          parameters: [
            ...entryParameters(entry),
            ...sessionParameters(session),
            ...callParameters(call),
            ...counted(consume),
            ...followingParameters(succeeds),
          ],
          entries: [entry],
        })
        if (changed) return { kind: 'recorded' }
        return told[0] === 'refused' ? refusal(told[1]) : { kind: 'existing', ...toKnown(told[1]) }
      }),
    recordAll: ({ calls, entry }) =>
      database.verb('recording calls', async () => {
        const { told } = await database.write({
          script: RECORD_ALL,
          parameters: [
            ...entryParameters(entry),
            String(calls.length),
            ...calls.flatMap(({ call, session }) => [...sessionParameters(session), ...callParameters(call)]),
          ],
          entries: [entry],
        })
        return (told[0] as RedisReply[][]).map(([what, known]): RecordResult => {
          if (what === 'recorded') return { kind: 'recorded' }
          return what === 'existing' ? { kind: 'existing', ...toKnown(known) } : refusal(what)
        })
      }),
    transition: (change) =>
      database.verb('changing a request', async () => {
        const result = await transitionAll([change])
        return result.won
          ? { won: true, deadline: result.deadlines[0] ?? null }
          : { won: false, request: result.lost[0]?.request }
      }),
    transitionAll: (changes) => database.verb('changing requests', () => transitionAll(changes)),
    endSessions: ({ sessions, by, reason, changes, entry }) =>
      database.verb('ending sessions', async (): Promise<EndResult> => {
        const { changed } = await database.write({
          script: END_SESSIONS,
          parameters: [
            by,
            optional(reason),
            ...counted(sessions),
            String(changes.length),
            ...changes.flatMap(changeParameters),
            ...entryParameters(entry),
          ],
          entries: [...changes.map((change) => change.entry), entry],
          requests: changes.map(({ id }) => id),
        })
        return { won: changed }
      }),
    get: (id) => database.verb('reading a request', () => find(id)),
    ...lists,
  }
}

function notOpened(told: RedisReply[]): OpenResult {
  const [kind, first, second, third] = told
  switch (kind) {
    case 'existing':
      return { kind, request: toRequest(String(first), second)! }
    case 'known':
      return { kind, digest: String(first), verdict: second as 'allow' | 'deny', because: String(third) }
    case 'conflict':
      return { kind, digest: String(first) }
    default:
      return { kind: 'refused', code: first as 'session_ended' | 'not_yours' | 'too_many_pending' }
  }
}

function refusal(code: RedisReply | undefined): RecordResult {
  return { kind: 'refused', code: code as 'session_ended' | 'not_yours' | 'grant_spent' }
}
