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
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'

export interface JoinInput {
  /** The token that the call came with. */
  token: string
  /** Who waits: see `joinWaiterId`. */
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

export interface Joins {
  /** The request that the call can join, with this waiter in its place. */
  find(
    call: PreparedCall,
    join: JoinInput,
    mayJoin: (request: Request) => boolean,
  ): Promise<Request | undefined>
  /** The same call that runs, has run, or may have: the newest, for the person who is asked about it once more. */
  findSame(call: PreparedCall, join: JoinInput): Promise<SameCall | undefined>
  /** Lets later calls find the request by what they would have to have in common with it. */
  note(call: PreparedCall, request: Pick<Request, 'id' | 'expiresInMs'>, token: string): Promise<void>
  /** Takes the place of whoever waits for the request. False when another waits for it. */
  take(request: string, waiter: string): Promise<boolean>
  /**
   * Keeps the place while somebody waits. Whoever waits in several steps leaves it at the end of one without giving it up: it
   * is theirs for some seconds more.
   */
  keep(request: string, waiter: string): { leave(how: 'for good' | 'to come back'): Promise<void> }
  /** Nobody waits there any longer. */
  release(request: string, waiter: string): Promise<void>
}

export interface JoinPorts {
  store: Pick<Store, 'get' | 'records' | 'leases'>
  host: Pick<Host, 'clock' | 'report'>
  expiresInMs: number
}

export function createJoins({ store, host, expiresInMs: defaultMs }: JoinPorts): Joins {
  /** The newest first. */
  async function sameCalls(call: PreparedCall, token: string): Promise<Request[]> {
    const prefix = `${shapeOf(call, token)}/`
    const { items } = await store.records.list({ kind: KIND, prefix, limit: 200 })
    const newest = items.slice(-MAX_LOOKED_AT).reverse()
    const found = await Promise.all(newest.map(({ value }) => store.get(String(value))))
    return found.filter((request) => request !== undefined)
  }

  async function take(request: string, waiter: string): Promise<boolean> {
    const lease = await store.leases.take({ name: leaseOf(request), holder: waiter, leaseMs: PLACE_MS })
    return lease.holder === waiter
  }

  async function release(request: string, waiter: string): Promise<void> {
    await store.leases
      .release(leaseOf(request), waiter)
      .catch((error) => host.report({ doing: `leaving ${request}`, error }))
  }

  return {
    async find(call, { token, waiter }, mayJoin) {
      for (const request of await sameCalls(call, token)) {
        const isOpen = request.state === 'pending' || request.state === 'approved'
        if (isOpen && mayJoin(request) && (await take(request.id, waiter))) return request
      }
      return undefined
    },
    async findSame(call, { token }) {
      for (const { id, state, progress, createdAt } of await sameCalls(call, token)) {
        if (state === 'running' || state === 'unknown' || state === 'done')
          return { id, state, at: progress.decision?.at ?? createdAt }
      }
      return undefined
    },
    async note(call, { id, expiresInMs }, token) {
      const record = { kind: KIND, key: `${shapeOf(call, token)}/${id}`, version: 0, value: id }
      const keptMs = Math.max(defaultMs, expiresInMs) + MAX_CLAIM_WITHIN_MS
      await store.records
        .change([{ ...record, expiresInMs: keptMs }])
        .catch((error) => host.report({ doing: `making ${id} known to calls that could join it`, error }))
    },
    take,
    keep(request, waiter) {
      let timer: Timer
      const renew = () => {
        take(request, waiter).catch((error) => host.report({ doing: `waiting for ${request}`, error }))
        timer = host.clock.after(PLACE_MS / 3, renew)
      }
      timer = host.clock.after(PLACE_MS / 3, renew)
      return {
        async leave(how) {
          timer.cancel()
          if (how === 'for good') await release(request, waiter)
        },
      }
    },
    release,
  }
}

function shapeOf({ session, agent, tool, digest }: PreparedCall, token: string): string {
  return digestOf(canonicalize([session, agent ?? null, tool, digest, token]))
}

function leaseOf(request: string): string {
  return `hold/${request}`
}
