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
import { canonicalize, type JsonObject } from '../core/json/json.ts'

export type EntryType =
  | 'chain.opened'
  | 'chain.closed'
  | 'checkpoint'
  | 'calls.judged'
  | 'calls.forecast'
  | 'call.conflict'
  | 'call.taken'
  | 'call.reported'
  | 'call.released'
  | 'call.joined'
  | 'request.opened'
  | 'request.voted'
  | 'request.uncovered'
  | 'request.decided'
  | 'request.claimed'
  | 'request.renewed'
  | 'request.reported'
  | 'request.released'
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
  | 'session.turn_ended'
  | 'session.ended'
  | 'session.mode'
  | 'token.created'
  | 'token.revoked'
  | 'account.linked'
  | 'account.unlinked'
  | 'mcp.pinned'
  | 'mcp.changed'
  | 'mcp.accepted'
  | 'policy.applied'
  | 'arguments.erased'
  | 'turns.erased'
  | 'store.replaced'
  | 'store.accepted'

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
  /**
   * The number of an entry of this chain that is known to be committed: to be read when it is written, since it grows. A
   * store that would give this one a number that is not above it has lost what it acknowledged, and fails instead.
   */
  readonly follows?: number
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
  /** The chain that is written now. */
  readonly chain: string
  draft: DraftEntry
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
  /** The hash of the body of a recent entry, while it is remembered. */
  bodyHash(n: number): string | undefined
  /**
   * Another chain, for when the store has lost entries of this one: their numbers must not be given to others. It is
   * written with its own `draft` first, and is what everybody writes after `begin`. Of the old chain nothing is written
   * any more: what was drafted for it is refused by the store.
   */
  next(): { readonly chain: string; draft: DraftEntry; begin(): void }
}

type DraftEntry = (
  type: EntryType,
  at: number,
  members: JsonObject,
  about?: { request: string; version: number },
) => EntryDraft

/** As many entries as a server that is restarted may plausibly lack. */
const REMEMBERED = 256

export function createChainWriter(chain: string): ChainWriter {
  let links = createLinks(chain)
  let chains = 1

  return {
    get chain() {
      return links.chain
    },
    draft: (...parts) => draftOf(links, ...parts),
    draftTexts(type, at, members, about) {
      const { head } = links
      const all: Record<string, string> = { ...members, at: String(at), type: JSON.stringify(type), v: '1' }
      all.prev = head.n === 0 ? 'null' : `{"hash":"${head.hash}","n":${head.n}}`
      if (about !== undefined) {
        all.request = JSON.stringify(about.request)
        all.version = String(about.version)
      }
      let body = ''
      for (const key of Object.keys(all).sort()) body += `${body === '' ? '{' : ','}"${key}":${all[key]}`
      body += '}'
      return links.entry({ chain: links.chain, type, ...about, body })
    },
    head: () => links.head,
    lags: () => links.lags(),
    found: (n, body) => links.committed(n, body),
    bodyHash: (n) => links.bodyHashes.get(n),
    next() {
      chains++
      const following = createLinks(`${chain}.${chains}`)
      return {
        chain: following.chain,
        draft: (...parts) => draftOf(following, ...parts),
        begin() {
          links.isOver = true
          links = following
        },
      }
    },
  }
}

/** What is known of one chain. */
interface Links {
  readonly chain: string
  readonly head: ChainHead
  readonly bodyHashes: ReadonlyMap<number, string>
  /** Another chain has taken its place. */
  isOver: boolean
  lags(): boolean
  committed(n: number, body: string): void
  entry(content: EntryContent): EntryDraft
}

function createLinks(chain: string): Links {
  let head = genesis(chain)
  // Numbers can come back out of order where several transactions are under way; they wait for their turn here.
  const early = new Map<number, string>()
  const bodyHashes = new Map<number, string>()

  function extend(body: string): void {
    const hashOfBody = bodyHash(body)
    head = extendHead(head, hashOfBody)
    bodyHashes.set(head.n, hashOfBody)
    bodyHashes.delete(head.n - REMEMBERED)
  }

  return {
    chain,
    get head() {
      return head
    },
    bodyHashes,
    isOver: false,
    lags: () => early.size > 0,
    committed(n, body) {
      if (n <= head.n) return
      if (n > head.n + 1) {
        early.set(n, body)
        return
      }
      early.delete(n)
      extend(body)
      for (let next = early.get(head.n + 1); next !== undefined; next = early.get(head.n + 1)) {
        early.delete(head.n + 1)
        extend(next)
      }
    },
    entry(content) {
      const links = this
      return {
        ...content,
        committed: (n) => links.committed(n, content.body),
        get follows() {
          return links.isOver ? Number.MAX_SAFE_INTEGER : head.n
        },
      }
    },
  }
}

function draftOf(
  links: Links,
  type: EntryType,
  at: number,
  members: JsonObject,
  about?: { request: string; version: number },
): EntryDraft {
  const { head } = links
  const body = canonicalize({
    ...members,
    v: 1,
    at,
    type,
    prev: head.n === 0 ? null : { n: head.n, hash: head.hash },
    ...(about === undefined ? {} : { request: about.request, version: about.version }),
  })
  return links.entry({ chain: links.chain, type, ...about, body })
}
