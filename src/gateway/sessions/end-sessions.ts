/**
 * Ends a session and all that it started, in one step: what waits or was approved in them is cancelled, what runs
 * is told to stop, and later calls are refused. Here, in this process, it happens at once; the record follows.
 */

import { defined } from '../../core/defined.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { LIVE_STATES, type Request } from '../../core/request.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { step } from '../../core/transitions.ts'
import type { Change, Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import {
  type ChangeStep,
  type PlannedChange,
  type RequestChanges,
  requestAfter,
  toStoreChange,
} from '../requests/change-request.ts'
import { requestRefusal, unknownRequestId } from '../requests/request-refusals.ts'

export interface SessionEnding {
  by: string
  reason?: string
  /** The request whose decision ends the session. */
  decided?: {
    id: string
    plan: (request: Request) => Promise<PlannedChange>
  }
  /** Or the session itself. */
  session?: string
}

export interface SessionEndingPorts {
  store: Pick<Store, 'get' | 'list' | 'now' | 'sessions' | 'endSessions'>
  changes: RequestChanges
  journal: JournalWriter
}

export type EndSessions = (
  ending: SessionEnding,
) => Promise<{ request: Request | undefined; changed: boolean }>

interface EndingChange {
  request: Request
  next: ChangeStep
  change: Change
}

const MAX_RACES = 100

export function createEndSessions(ports: SessionEndingPorts): EndSessions {
  const { store, changes, journal } = ports

  /** What becomes of another request that is live in one of the sessions. */
  function cancelOther(other: Request, { by, reason }: SessionEnding): EndingChange[] {
    const next = step(other, { kind: 'cancel', cause: 'session_ended', by, ...defined({ reason }) })
    if (next.kind === 'refuse') return []
    if (next.kind === 'repeat') return [unchanged(other, by)]
    const entry = journal.entry(
      next.to === 'running' ? 'request.stopped' : 'request.cancelled',
      { by, cause: 'session_ended', state: next.to },
      { request: other.id, version: other.version + 1 },
    )
    return [{ request: other, next, change: toStoreChange(other, next, entry) }]
  }

  /** Told to stop before: it stays as it is, but must be among the changes. */
  function unchanged(request: Request, by: string): EndingChange {
    const next = { kind: 'change', to: request.state, progress: request.progress, deadline: 'keep' } as const
    const entry = journal.entry(
      'request.stopped',
      { by, cause: 'session_ended', state: request.state },
      { request: request.id, version: request.version + 1 },
    )
    return { request, next, change: toStoreChange(request, next, entry) }
  }

  return async (ending) => {
    const { decided, by, reason } = ending
    for (let race = 0; race < MAX_RACES; race++) {
      const request = decided === undefined ? undefined : await store.get(decided.id)
      if (decided !== undefined && request === undefined) throw unknownRequestId(decided.id)
      const root = request?.session ?? ending.session!
      const sessions = (await store.sessions.family(root)).map((session) => session.id)

      const moves: EndingChange[] = []
      if (request !== undefined) {
        const drafted = changes.draft(request, await decided!.plan(request))
        if (drafted.kind === 'repeat') return { request, changed: false }
        if (drafted.kind === 'refuse') throw requestRefusal(drafted.code, drafted.reason, request)
        moves.push(drafted)
      }
      for (const other of await liveRequests(store, sessions)) {
        if (other.id !== request?.id) moves.push(...cancelOther(other, ending))
      }
      const about = { sessions, by, ...defined({ reason }) }
      const { won } = await store
        .endSessions({
          ...about,
          changes: moves.map((each) => each.change),
          entry: journal.entry('session.ended', about, undefined, request),
        })
        .catch((error) => {
          // It may have been committed all the same, and then whoever waits here must still hear of it (P7).
          for (const each of moves) changes.rereadLater(each.request.id)
          throw error
        })
      if (!won) {
        if (request !== undefined && (await isPastDeadline(store, request))) {
          throw requestRefusal('expired', reasonOf('request.late'), request)
        }
        continue
      }
      const after = moves.map((each) => requestAfter(each.request, each.next, deadlineAfter(each)))
      for (const each of after) changes.committed(each)
      return { request: request === undefined ? undefined : after[0], changed: true }
    }
    throw reasonedError('internal', reasonOf('session.kept-changing'))
  }
}

function deadlineAfter({ request, next }: EndingChange): number | null {
  return next.deadline === 'keep' ? request.deadline : null
}

async function isPastDeadline(store: Pick<Store, 'get' | 'now'>, request: Request): Promise<boolean> {
  const now = await store.get(request.id)
  return now?.version === request.version && now.deadline !== null && now.deadline <= store.now()
}

async function liveRequests(store: Pick<Store, 'list'>, sessions: string[]): Promise<Request[]> {
  const found: Request[] = []
  for (const session of sessions) {
    for (const state of LIVE_STATES) {
      found.push(...(await readAllPages((next) => store.list({ state, session, ...next }))))
    }
  }
  return found
}
