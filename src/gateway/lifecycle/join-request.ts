/**
 * Joining: a model that repeats a call gives it a new id, and the person must not be asked twice. A call joins an earlier request
 * only if token, session, agent lineage, tool and digest are the same, the request is pending, or approved and unclaimed, and
 * nobody waits for it. Whoever waits has a lease in the store, so that all nodes agree on that; when its process dies the lease
 * ends. Two identical calls at once are two requests.
 *
 * While the same call runs, or nobody knows whether it ran, no mode, rule or grant lets another one through: a person is asked, and
 * told of it. Only calls that people were asked about are known here; one that the policy allowed leaves no request.
 *
 * A call that has joined is another name of the call whose request it is: its record says so, and whoever asks for it is given that
 * one, whatever becomes of it.
 */

import type { PreparedCall } from '../../core/call.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize } from '../../core/json/json.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { isFinal, type Request, type SameCall } from '../../core/request.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import type { Timer } from '../../core/time/clock.ts'
import type { Store, StoredRecord } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { ForcedAsk } from '../judging/forced-ask.ts'

export interface JoinInput {
  /** The token that the call came with. */
  token: string
  /** Who waits: see `joinWaiterId`. */
  waiter: string
}

/** Longer than an HTTP hold takes to be renewed by its client, short enough for a person to still be looking. */
const PLACE_MS = 15_000
/** For so long a call whose outcome nobody knows is found by its twins. Records of those that have ended go sooner. */
const KEPT_MS = 365 * 86_400_000
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
  /**
   * The same call that runs, has run, or may have, for the person who is asked about it once more: the newest whose outcome
   * nobody knows yet, else the newest.
   */
  findSame(call: PreparedCall, join: Pick<JoinInput, 'token'>): Promise<SameCall | undefined>
  /** Lets later calls find the request by what they would have to have in common with it. Before it is opened (P4). */
  note(call: PreparedCall, id: string, token: string): Promise<void>
  /** It was not opened. */
  forget(call: PreparedCall, id: string, token: string): Promise<void>
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
}

export function createJoins({ store, host }: JoinPorts): Joins {
  /** The newest first. */
  async function sameCalls(call: PreparedCall, token: string): Promise<Request[]> {
    const prefix = `${shapeOf(call, token)}/`
    const records = await readAllPages((next) => store.records.list({ kind: KIND, prefix, ...next }))
    const found: Request[] = []
    const over: StoredRecord[] = []
    for (const record of records.reverse()) {
      const request = await store.get(String(record.value))
      // Another process may be about to open it.
      if (request === undefined) continue
      const isLast = request.state === 'done' && !found.some(({ state }) => state === 'done')
      if (isLast || !isFinal(request.state)) found.push(request)
      else over.push(record)
    }
    await remove(over)
    return found
  }

  /** Nothing more comes of these: so there are never many to look at. */
  async function remove(records: readonly Pick<StoredRecord, 'key' | 'version'>[]): Promise<void> {
    if (records.length === 0) return
    await store.records
      .change(records.map(({ key, version }) => ({ kind: KIND, key, version })))
      .catch((error) => host.report({ doing: 'forgetting calls that nobody can join', error }))
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
      const found = (await sameCalls(call, token)).flatMap(toSameCall)
      return found.find(isUnsettled) ?? found[0]
    },
    async forget(call, id, token) {
      const record = await store.records.get(KIND, keyOf(call, id, token)).catch(() => undefined)
      await remove(record === undefined ? [] : [record])
    },
    async note(call, id, token) {
      const record = { kind: KIND, key: keyOf(call, id, token), version: 0, value: id }
      await store.records.change([{ ...record, expiresInMs: KEPT_MS }])
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

function keyOf(call: PreparedCall, id: string, token: string): string {
  return `${shapeOf(call, token)}/${id}`
}

function toSameCall({ id, state, progress, createdAt }: Request): SameCall[] {
  const ran = state === 'running' || state === 'unknown' || state === 'done'
  return ran ? [{ id, state, at: progress.decision?.at ?? createdAt }] : []
}

/** It runs, or nobody knows whether it ran. */
export function isUnsettled({ state }: SameCall): boolean {
  return state !== 'done'
}

/** Why a person is asked about the same call. */
export function unsettledAsk({ id, state }: SameCall): ForcedAsk {
  return told(reasonOf(state === 'running' ? 'ask.running' : 'ask.unsettled', { request: id }))
}

function leaseOf(request: string): string {
  return `hold/${request}`
}
