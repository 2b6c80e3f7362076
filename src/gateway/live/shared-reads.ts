/**
 * What changed, read once for everybody who watches in this process: however many listeners an entry reaches, the store is
 * asked for the request once and for its session once.
 *
 * Shared are the request, its session, and what was made of them that is the same for every reader. Never shared is what
 * depends on the reader: who may see a request and who may decide it is looked up for each of them, in the directory as it
 * is at that moment.
 *
 * A read serves an entry when it is at least as new as the entry, so a listener who is behind gets the request as it is
 * now. Erasing is the one change of a request that raises no version: once the feed tells of it, everything is read anew.
 * What was made under another policy is made anew, because the policy says what is masked. What failed isn't kept.
 *
 * Kept are so many requests and bytes, the latest, while somebody watches.
 */
import type { Directory } from '../../core/authority.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Request } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Entry } from '../../journal/entry.ts'
import type { Store } from '../../stores/store.ts'
import type { Policy } from '../gateway-parts.ts'
import { mayDecideNow, maySee } from '../requests/read-requests.ts'
import type { RecentRequests } from '../requests/recent-requests.ts'

export interface SharedRead {
  request: Request
  /** Whether this actor could decide it now. */
  isDecidableBy(actor: Actor): boolean
  /** What `make` makes of the request, once for all who ask with the same key. It MUST be the same for every reader. */
  once<T extends { text: string }>(key: string, make: () => Promise<T>): Promise<T>
}

export interface SharedReads {
  /** The entry's request; undefined where it isn't this actor's to see, or where a later entry tells of it. */
  read(entry: Pick<Entry, 'request' | 'version'>, actor: Actor): Promise<SharedRead | undefined>
  /** To be told of every entry before anybody who watches is. */
  hear(entry: Entry): void
  /** Nobody watches any more, or the store is another one. */
  drop(): void
}

export interface SharedReadParts {
  store: { get: Store['get']; sessions: Pick<Store['sessions'], 'get'> }
  recent: Pick<RecentRequests, 'mark' | 'keepRead'>
  directory: () => Directory
  policy: () => Policy
}

/** As many as change within the moment that it takes to tell everybody. */
const MAX_REQUESTS = 256
const MAX_BYTES = 8 * 1024 * 1024
/** A policy that is another one each time is a fault: nothing is shown under it. */
const MAX_POLICIES = 20

interface FoundRequest {
  request: Request
  /** Of a pending request: its owner may decide. */
  session: Session | undefined
}

interface KeptRead {
  found: Promise<FoundRequest | undefined>
  made: Map<string, MadeText>
  bytes: number
}

interface MadeText {
  policy: Policy
  value: Promise<{ text: string }>
}

export function createSharedReads({ store, recent, directory, policy }: SharedReadParts): SharedReads {
  const kept = new Map<string, KeptRead>()
  let bytes = 0

  async function load(id: string): Promise<FoundRequest | undefined> {
    const mark = recent.mark(id)
    const request = await store.get(id)
    if (request === undefined) return undefined
    if (request.state !== 'pending') return { request, session: undefined }
    // Who watches is about to decide it.
    recent.keepRead(request, mark)
    return { request, session: await store.sessions.get(request.session) }
  }

  function begin(id: string): KeptRead {
    const one: KeptRead = { found: load(id), made: new Map(), bytes: 0 }
    kept.set(id, one)
    one.found.then(
      (found) => (found === undefined ? forget(id, one) : charge(id, one, found.request.bytes.length)),
      () => forget(id, one),
    )
    return one
  }

  function forget(id: string, one: KeptRead): void {
    if (kept.get(id) !== one) return
    kept.delete(id)
    bytes -= one.bytes
  }

  /** What was forgotten meanwhile belongs to those who still have it, and goes with them. */
  function charge(id: string, one: KeptRead, more: number): void {
    if (kept.get(id) !== one) return
    one.bytes += more
    bytes += more
    while (kept.size > MAX_REQUESTS || bytes > MAX_BYTES) {
      const [oldest, read] = kept.entries().next().value!
      forget(oldest, read)
    }
  }

  async function find(id: string, version: number): Promise<[KeptRead, FoundRequest] | undefined> {
    for (let failures = 0; ; ) {
      const known = kept.get(id)
      const one = known ?? begin(id)
      try {
        const found = await one.found
        if (found === undefined) return undefined
        if (known === undefined || found.request.version >= version) return [one, found]
        forget(id, one)
      } catch (error) {
        // Somebody else's read failed. One more for all who waited for it, before they all lose their connection.
        if (known === undefined || ++failures > 1) throw error
      }
    }
  }

  async function make<T extends { text: string }>(
    id: string,
    one: KeptRead,
    key: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const now = policy()
    const known = one.made.get(key)
    if (known?.policy === now) return known.value as Promise<T>
    const value = work()
    const made = { policy: now, value }
    one.made.set(key, made)
    value.then(
      ({ text }) => charge(id, one, text.length),
      () => {
        if (one.made.get(key) === made) one.made.delete(key)
      },
    )
    return value
  }

  return {
    async read({ request: id, version }, actor) {
      // Without a version nothing of the request has changed.
      if (id === undefined || version === undefined) return undefined
      const read = await find(id, version)
      if (read === undefined) return undefined
      const [one, { request, session }] = read
      if (!maySee(request, actor) || request.version > version) return undefined
      return {
        request,
        isDecidableBy: (reader) =>
          request.state === 'pending' && mayDecideNow(request, reader, directory(), session),
        async once(key, work) {
          for (let tries = 0; tries < MAX_POLICIES; tries++) {
            const before = policy()
            const value = await make(id, one, key, work)
            if (policy() === before) return value
          }
          throw new BanksmanError(
            'internal',
            `the policy changed ${MAX_POLICIES} times while a request was rendered`,
          )
        },
      }
    },
    hear({ type }) {
      if (type === 'arguments.erased') drop()
    },
    drop,
  }

  function drop(): void {
    kept.clear()
    bytes = 0
  }
}
