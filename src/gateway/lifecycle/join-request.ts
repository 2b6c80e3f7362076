/**
 * Joining: a model that repeats a call gives it a new id, and the person must not be asked twice. A call joins an earlier request
 * only if token, session, agent lineage, tool and digest are the same, the request is pending, or approved and unclaimed, and
 * nobody waits for it. Whoever waits has a lease in the store, so that all nodes agree on that; when its process dies the lease
 * ends. Two identical calls at once are two requests.
 *
 * A call that has joined is another name of the call whose request it is: its record says so, and whoever asks for it is given that
 * one, whatever becomes of it.
 */
import type { PreparedCall } from '../../core/call.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize } from '../../core/json/json.ts'
import type { Request, SameCall } from '../../core/request.ts'
import type { Timer } from '../../core/time/clock.ts'
import { MAX_CLAIM_WITHIN_MS } from '../../core/transitions.ts'
import type { GatewayContext } from '../requests/change-request.ts'

export interface JoinInput {
  /** The token that the call came with. */
  token: string
  /** Who waits: see `waiterOf`. */
  waiter: string
}

/** Longer than an HTTP hold takes to be renewed by its client, short enough for a person to still be looking. */
const PLACE_MS = 15_000
/** Of the same call in one session, the newest. Each is read whole. */
const MAX_LOOKED_AT = 10
const KIND = 'joinable'

/** A runner's key, for one call: the same key with another call is another waiter, and another claim. */
export function joinWaiterId(callId: string, key: string): string {
  return digestOf(canonicalize([callId, key]))
}

/** The request that the call can join, with this waiter in its place. */
export async function findJoinable(
  hall: GatewayContext,
  call: PreparedCall,
  join: JoinInput,
): Promise<Request | undefined> {
  for (const request of await sameCalls(hall, call, join.token)) {
    const isOpen = request.state === 'pending' || request.state === 'approved'
    if (isOpen && (await takeJoinLease(hall, request.id, join.waiter))) return request
  }
  return undefined
}

/** The same call that runs, has run, or may have: the newest, for the person who is asked about it once more. */
export async function findSameCall(
  hall: GatewayContext,
  call: PreparedCall,
  { token }: JoinInput,
): Promise<SameCall | undefined> {
  for (const { id, state, progress, createdAt } of await sameCalls(hall, call, token)) {
    if (state === 'running' || state === 'unknown' || state === 'done')
      return { id, state, at: progress.decision?.at ?? createdAt }
  }
  return undefined
}

/** Lets later calls find the request by what they would have to have in common with it. */
export async function noteJoinable(
  hall: GatewayContext,
  call: PreparedCall,
  id: string,
  token: string,
): Promise<void> {
  const record = { kind: KIND, key: `${shapeOf(call, token)}/${id}`, version: 0, value: id }
  await hall.store.records
    .change([{ ...record, expiresInMs: hall.settings.expiresInMs + MAX_CLAIM_WITHIN_MS }])
    .catch((error) => hall.report({ doing: `making ${id} known to calls that could join it`, error }))
}

/** The newest first. */
async function sameCalls(hall: GatewayContext, call: PreparedCall, token: string): Promise<Request[]> {
  const { items } = await hall.store.records.list({
    kind: KIND,
    prefix: `${shapeOf(call, token)}/`,
    limit: 200,
  })
  const newest = items.slice(-MAX_LOOKED_AT).reverse()
  const found = await Promise.all(newest.map(({ value }) => hall.store.get(String(value))))
  return found.filter((request) => request !== undefined)
}

function shapeOf({ session, agent, tool, digest }: PreparedCall, token: string): string {
  return digestOf(canonicalize([session, agent ?? null, tool, digest, token]))
}

/** False when another waits for it. */
export async function takeJoinLease(hall: GatewayContext, request: string, waiter: string): Promise<boolean> {
  const lease = await hall.store.leases.take({ name: leaseOf(request), holder: waiter, leaseMs: PLACE_MS })
  return lease.holder === waiter
}

/**
 * Keeps the place while somebody waits. Whoever waits in several steps leaves it at the end of one without giving it up: it is
 * theirs for some seconds more.
 */
export function keepJoinLease(
  hall: GatewayContext,
  request: string,
  waiter: string,
): { leave(how: 'for good' | 'to come back'): Promise<void> } {
  let timer: Timer
  const renew = () => {
    takeJoinLease(hall, request, waiter).catch((error) =>
      hall.report({ doing: `waiting for ${request}`, error }),
    )
    timer = hall.clock.after(PLACE_MS / 3, renew)
  }
  timer = hall.clock.after(PLACE_MS / 3, renew)
  return {
    async leave(how) {
      timer.cancel()
      if (how === 'for good') await releaseJoinLease(hall, request, waiter)
    },
  }
}

/** Nobody waits there any longer. */
export async function releaseJoinLease(hall: GatewayContext, request: string, waiter: string): Promise<void> {
  await hall.store.leases
    .release(leaseOf(request), waiter)
    .catch((error) => hall.report({ doing: `leaving ${request}`, error }))
}

function leaseOf(request: string): string {
  return `hold/${request}`
}
