/**
 * Joining: a model that repeats a call gives it a new id, and the person must not be asked twice. A call joins an earlier request
 * only if token, session, agent lineage, tool and digest are the same, the request is pending, or approved and unclaimed, and
 * nobody waits for it. Whoever waits has a lease in the store, so that all nodes agree on that; when its process dies the lease
 * ends. Two identical calls at once are two requests.
 */
import type { PreparedCall } from '../../core/call.ts'
import type { Timer } from '../../core/clock.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize } from '../../core/json.ts'
import type { Request, SameCall } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
import { conflict } from '../call-refusals.ts'
import type { Hall } from '../hall.ts'

export interface Joining {
  /** The token that the call came with. */
  token: string
  /** The runner's key, under which it waits. */
  key: string
}

/** Longer than an HTTP hold takes to be renewed by its client, short enough for a person to still be looking. */
const PLACE_MS = 15_000
/** More than this many of one session's requests are not looked through. */
const MAX_LOOKED_AT = 200
/** Of calls that have run, in one session. */
const MAX_PAGES = 5

/** As long as an approval may wait to be run at most. */
const REMEMBERED_MS = MAX_CLAIM_WITHIN_MS

/** The request that the call joins, with this key as the one who waits for it. A call that has joined one stays with it. */
export async function findJoinable(
  hall: Hall,
  call: PreparedCall,
  actor: Actor,
  join: Joining,
): Promise<Request | undefined> {
  const joined = await joinedRequest(hall, call)
  if (joined !== undefined) {
    const request = await hall.store.get(joined)
    if (request?.digest !== call.digest) throw conflict(call, request?.digest ?? '')
    await keepPlace(hall, request.id, join.key)
    return request
  }
  const found = await findWaiting(hall, call, actor, join)
  if (found === undefined) return undefined
  const entry = hall.entry('call.joined', {
    session: call.session,
    callId: call.callId,
    request: found.id,
    by: actor.subject,
  })
  const kept = { ...recordOf(call), version: 0, value: found.id, expiresInMs: REMEMBERED_MS }
  const result = await hall.store.records.change([kept], entry)
  return result.won ? found : findJoinable(hall, call, actor, join)
}

/** The request that a call with this id has joined. */
export async function joinedRequest(
  hall: Hall,
  call: { session: string; callId: string },
): Promise<string | undefined> {
  const { kind, key } = recordOf(call)
  const found = await hall.store.records.get(kind, key)
  return found === undefined ? undefined : String(found.value)
}

function recordOf({ session, callId }: { session: string; callId: string }) {
  return { kind: 'join', key: digestOf(canonicalize([session, callId])) }
}

async function findWaiting(
  hall: Hall,
  call: PreparedCall,
  actor: Actor,
  join: Joining,
): Promise<Request | undefined> {
  for (const state of ['approved', 'pending'] as const) {
    const { items } = await hall.store.list({
      state,
      session: call.session,
      submittedBy: actor.subject,
      limit: MAX_LOOKED_AT,
    })
    for (const request of items) {
      if (isSame(request, call, join) && (await keepPlace(hall, request.id, join.key))) return request
    }
  }
  return undefined
}

/** The same call that runs, has run, or may have: the newest, for the person who is asked about it once more. */
export async function findSameCall(
  hall: Hall,
  call: PreparedCall,
  actor: Actor,
  join: Joining,
): Promise<SameCall | undefined> {
  let newest: SameCall | undefined
  for (const state of ['running', 'unknown', 'done'] as const) {
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { state, session: call.session, submittedBy: actor.subject, limit: MAX_LOOKED_AT }
      const found = await hall.store.list(cursor === undefined ? query : { ...query, cursor })
      for (const request of found.items) {
        const at = request.progress.decision?.at ?? request.createdAt
        if (isSame(request, call, join) && at >= (newest?.at ?? 0)) newest = { id: request.id, state, at }
      }
      cursor = found.cursor
      if (cursor === undefined) break
    }
  }
  return newest
}

function isSame(request: Request, call: PreparedCall, { token }: Joining): boolean {
  return (
    request.joinable === token &&
    request.tool === call.tool &&
    request.digest === call.digest &&
    canonicalize(request.agent ?? null) === canonicalize(call.agent ?? null)
  )
}

/** False when another waits for it. */
export async function keepPlace(hall: Hall, request: string, key: string): Promise<boolean> {
  const lease = await hall.store.leases.take({ name: leaseOf(request), holder: key, leaseMs: PLACE_MS })
  return lease.holder === key
}

/**
 * Keeps the place while somebody waits. Whoever waits in several steps leaves it at the end of one without giving it up: it is
 * theirs for some seconds more.
 */
export function startWaiting(
  hall: Hall,
  request: string,
  key: string,
): { leave(how: 'for good' | 'to come back'): Promise<void> } {
  let timer: Timer
  const renew = () => {
    keepPlace(hall, request, key).catch((error) => hall.report({ doing: `waiting for ${request}`, error }))
    timer = hall.clock.after(PLACE_MS / 3, renew)
  }
  timer = hall.clock.after(PLACE_MS / 3, renew)
  return {
    async leave(how) {
      timer.cancel()
      if (how === 'for good') await leavePlace(hall, request, key)
    },
  }
}

/** Nobody waits under this key any longer. */
export async function leavePlace(hall: Hall, request: string, key: string): Promise<void> {
  await hall.store.leases
    .release(leaseOf(request), key)
    .catch((error) => hall.report({ doing: `leaving ${request}`, error }))
}

function leaseOf(request: string): string {
  return `hold/${request}`
}
