/**
 * Journal entries and the chain they form (P10).
 *
 * A chain belongs to one run of one process. The store gives each entry of a chain the next number, without a
 * gap, in the same transaction as the step that the entry tells of. The hash of entry n is
 *
 *     hash(n) = SHA-256(hash(n−1) ‖ n ‖ SHA-256(body))       hash(0) = SHA-256("banksman journal v1" ‖ chain)
 *
 * and follows from the bodies alone, so a store keeps no hashes and makes none. Each body carries, as `prev`,
 * the newest hash its writer knew when it wrote it: with one step at a time that is the entry before, in a group
 * commit the last of the group before. Changing, removing, moving or inserting an entry therefore shows at the
 * next entry that vouches for that part, and naming the part is as exact as the groups are small. Whoever can
 * rewrite the whole file can rewrite all of that too: proof is a signed checkpoint that was kept elsewhere.
 */
import { hash } from 'node:crypto'
import { canonicalize, type JsonObject } from '../core/json.ts'

export type EntryType =
  | 'chain.opened'
  | 'chain.closed'
  | 'checkpoint'
  | 'calls.judged'
  | 'call.conflict'
  | 'request.opened'
  | 'request.voted'
  | 'request.decided'
  | 'request.claimed'
  | 'request.renewed'
  | 'request.reported'
  | 'request.stopped'
  | 'request.cancelled'
  | 'request.expired'
  | 'request.lapsed'
  | 'request.lost'
  | 'request.unreachable'
  | 'request.settled'
  | 'attempt.refused'
  | 'mask.lifted'
  | 'grant.used'
  | 'grant.revoked'
  | 'session.begun'
  | 'session.ended'
  | 'session.mode'
  | 'token.created'
  | 'token.revoked'
  | 'policy.applied'
  | 'arguments.erased'
  | 'turns.erased'

/** As it is written down. */
export interface EntryContent {
  chain: string
  type: EntryType
  /** The request it tells of, and the version that the request has after the step. */
  request?: string
  version?: number
  /** Canonical JSON with `v`, `at`, `type`, `prev`, `request?`, `version?` and the members of the type. */
  body: string
}

/** What is handed to the store, which gives it its number. */
export interface EntryDraft extends EntryContent {
  /** The store calls this once, after the commit, with the number that the entry was given. */
  committed(n: number): void
}

/** As it is read back. */
export interface Entry extends EntryContent {
  n: number
}

/** The hash of a chain up to and including entry n. */
export interface ChainHead {
  n: number
  hash: string
}

export function genesis(chain: string): ChainHead {
  return { n: 0, hash: hash('sha256', `banksman journal v1\n${chain}`, 'hex') }
}

export function nextHash(head: ChainHead, body: string): ChainHead {
  return extendHead(head, bodyHash(body))
}

export function bodyHash(body: string): string {
  return hash('sha256', body, 'hex')
}

/** The same as `nextHash`, for who kept only the hash of the body. */
export function extendHead(head: ChainHead, hashOfBody: string): ChainHead {
  const n = head.n + 1
  return { n, hash: hash('sha256', `${head.hash}\n${n}\n${hashOfBody}`, 'hex') }
}

/** The writer's side of one chain: makes drafts, and follows the numbers that the store gave them. */
export interface ChainWriter {
  readonly chain: string
  draft(
    type: EntryType,
    at: number,
    members: JsonObject,
    about?: { request: string; version: number },
  ): EntryDraft
  /** The same from members that are already canonical JSON, for entries that are written often. */
  draftTexts(
    type: EntryType,
    at: number,
    members: Record<string, string>,
    about?: { request: string; version: number },
  ): EntryDraft
  /** The newest head whose entries are all known. */
  head(): ChainHead
  /** Later entries were committed than the head knows of: one came back as failed and was written all the same. */
  lags(): boolean
  /** Tells of an entry that was read back from the store. */
  found(n: number, body: string): void
}

export function createChainWriter(chain: string): ChainWriter {
  let head = genesis(chain)
  // Numbers can come back out of order where several transactions are under way; they wait for their turn here.
  const early = new Map<number, string>()

  function committed(n: number, body: string): void {
    if (n <= head.n) return
    if (n > head.n + 1) {
      early.set(n, body)
      return
    }
    early.delete(n)
    head = nextHash(head, body)
    for (let next = early.get(head.n + 1); next !== undefined; next = early.get(head.n + 1)) {
      early.delete(head.n + 1)
      head = nextHash(head, next)
    }
  }

  return {
    chain,
    draft(type, at, members, about) {
      const body = canonicalize({
        ...members,
        v: 1,
        at,
        type,
        prev: head.n === 0 ? null : { n: head.n, hash: head.hash },
        ...(about === undefined ? {} : { request: about.request, version: about.version }),
      })
      return { chain, type, ...about, body, committed: (n) => committed(n, body) }
    },
    draftTexts(type, at, members, about) {
      const all: Record<string, string> = { ...members, at: String(at), type: JSON.stringify(type), v: '1' }
      all.prev = head.n === 0 ? 'null' : `{"hash":"${head.hash}","n":${head.n}}`
      if (about !== undefined) {
        all.request = JSON.stringify(about.request)
        all.version = String(about.version)
      }
      let body = ''
      for (const key of Object.keys(all).sort()) body += `${body === '' ? '{' : ','}"${key}":${all[key]}`
      body += '}'
      return { chain, type, ...about, body, committed: (n) => committed(n, body) }
    },
    head: () => head,
    lags: () => early.size > 0,
    found: committed,
  }
}
