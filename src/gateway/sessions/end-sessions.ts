/**
 * Ends a session and all that it started, in one step: what waits or was approved in them is cancelled, what runs
 * is told to stop, and later calls are refused. Here, in this process, it happens at once; the record follows.
 */

import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { LIVE_STATES, type Request } from '../../core/request.ts'
import { type RequestEvent, type Step, step } from '../../core/transitions.ts'
import type { Change } from '../../stores/store.ts'
import {
  announceCommit,
  type GatewayContext,
  requestAfter,
  requestRefusal,
  rereadLater,
  toStoreChange,
  unknownRequestId,
} from '../requests/change-request.ts'

export interface SessionEnding {
  by: string
  reason?: string
  /** The request whose decision ends the session. */
  decided?: {
    id: string
    event: (request: Request) => Promise<RequestEvent>
    describe: (request: Request, event: RequestEvent, next: Extract<Step, { kind: 'change' }>) => JsonObject
  }
  /** Or the session itself. */
  session?: string
}

const MAX_RACES = 100

export async function endSessions(
  hall: GatewayContext,
  ending: SessionEnding,
): Promise<{ request: Request | undefined; changed: boolean }> {
  for (let race = 0; race < MAX_RACES; race++) {
    const request = ending.decided === undefined ? undefined : await hall.store.get(ending.decided.id)
    if (ending.decided !== undefined && request === undefined) throw unknownRequestId(ending.decided.id)
    const root = request?.session ?? ending.session!
    const sessions = (await hall.store.sessions.family(root)).map((session) => session.id)

    const moves: { request: Request; next: Extract<Step, { kind: 'change' }>; change: Change }[] = []
    if (request !== undefined) {
      const event = await ending.decided!.event(request)
      const next = step(request, event)
      if (next.kind === 'repeat') return { request, changed: false }
      if (next.kind === 'refuse') throw requestRefusal(next.code, next.message, request)
      const about = { request: request.id, version: request.version + 1 }
      const members = ending.decided!.describe(request, event, next)
      const entry = hall.entry('request.decided', members, about, request)
      moves.push({ request, next, change: toStoreChange(request, next, entry) })
    }
    for (const other of await liveRequests(hall, sessions)) {
      if (other.id === request?.id) continue
      const next = step(other, {
        kind: 'cancel',
        cause: 'session_ended',
        by: ending.by,
        ...defined({ reason: ending.reason }),
      })
      if (next.kind !== 'change') {
        // Told to stop before: it stays as it is, but must be among the changes.
        if (next.kind === 'repeat') moves.push(unchanged(hall, other, ending.by))
        continue
      }
      const entry = hall.entry(
        next.to === 'running' ? 'request.stopped' : 'request.cancelled',
        { by: ending.by, cause: 'session_ended', state: next.to },
        { request: other.id, version: other.version + 1 },
      )
      moves.push({ request: other, next, change: toStoreChange(other, next, entry) })
    }
    const about = {
      sessions,
      by: ending.by,
      ...defined({ reason: ending.reason }),
    }
    const { won } = await hall.store
      .endSessions({
        ...about,
        changes: moves.map((each) => each.change),
        entry: hall.entry('session.ended', about, undefined, request),
      })
      .catch((error) => {
        // It may have been committed all the same, and then whoever waits here must still hear of it (P7).
        for (const { id } of moves.map((each) => each.request)) {
          hall.recent.delete(id)
          rereadLater(hall, id)
        }
        throw error
      })
    if (!won) {
      if (request !== undefined && (await guardLost(hall, request))) {
        throw requestRefusal('expired', 'the request has expired', request)
      }
      continue
    }
    const after = moves.map((each) => requestAfter(each.request, each.next, deadlineAfter(each)))
    for (const each of after) announceCommit(hall, each)
    return { request: request === undefined ? undefined : after[0], changed: true }
  }
  throw new BanksmanError('internal', 'the session kept changing while it was being ended; try again')
}

function deadlineAfter({
  request,
  next,
}: {
  request: Request
  next: Extract<Step, { kind: 'change' }>
}): number | null {
  return next.deadline === 'keep' ? request.deadline : null
}

function unchanged(hall: GatewayContext, request: Request, by: string) {
  const next = { kind: 'change', to: request.state, progress: request.progress, deadline: 'keep' } as const
  const entry = hall.entry(
    'request.stopped',
    { by, cause: 'session_ended', state: request.state },
    { request: request.id, version: request.version + 1 },
  )
  return { request, next, change: toStoreChange(request, next, entry) }
}

async function guardLost(hall: GatewayContext, request: Request): Promise<boolean> {
  const now = await hall.store.get(request.id)
  return now?.version === request.version && now.deadline !== null && now.deadline <= hall.store.now()
}

async function liveRequests(hall: GatewayContext, sessions: string[]): Promise<Request[]> {
  const found: Request[] = []
  for (const session of sessions) {
    for (const state of LIVE_STATES) {
      let cursor: string | undefined
      do {
        const page = await hall.store.list({ state, session, ...defined({ cursor }) })
        found.push(...page.items)
        cursor = page.cursor
      } while (cursor !== undefined)
    }
  }
  return found
}
