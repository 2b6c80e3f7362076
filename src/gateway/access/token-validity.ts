/**
 * `follow`: tells whoever keeps a connection open for a token when that token is no longer valid. Without it a stream would
 * go on until it looks by itself.
 *
 * A revocation is in the journal, so every node reads of it in the feed, which is read once for all who watch there. A
 * node looks into the feed every second even if no hint came, which is one small query however many tokens are followed.
 */

import { parseJson } from '../../core/json/parse-json.ts'
import type { Timer } from '../../core/time/clock.ts'
import type { Store, Token } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Watcher } from '../live/watch.ts'

export interface Validity {
  /** Aborted once the token was revoked or has expired. */
  over: AbortSignal
  /** To be called when nobody asks any more. */
  release(): void
}

export interface TokenValidity {
  follow(token: Token): Validity
  stop(): void
}

export interface TokenValidityPorts {
  store: Pick<Store, 'now' | 'journal'>
  host: Pick<Host, 'clock' | 'closed' | 'report'>
  watcher: Pick<Watcher, 'watch' | 'look'>
  /** Looks the token up, and for a cookie the key that it came with. */
  isValid: (token: Token) => Promise<boolean>
}

/** What people are told: a revoked token's streams end within a second, also where a hint was lost. */
const LOOK_EVERY_MS = 1000

interface Followed {
  token: Token
  over: AbortController
}

export function createTokenValidity({ store, host, watcher, isValid }: TokenValidityPorts): TokenValidity {
  const followed = new Set<Followed>()
  let timer: Timer | undefined
  let reading: { stop: AbortController; begun: Promise<void> } | undefined

  function end(one: Followed): void {
    followed.delete(one)
    one.over.abort()
  }

  async function check(some: Iterable<Followed>): Promise<void> {
    for (const one of [...some]) {
      if (followed.has(one) && !(await isValid(one.token))) end(one)
    }
  }

  function expire(): void {
    const now = store.now()
    for (const one of [...followed]) {
      const { expiresAt } = one.token
      if (expiresAt !== undefined && expiresAt <= now) end(one)
    }
  }

  async function read(after: string, signal: AbortSignal): Promise<void> {
    for await (const change of watcher.watch({ after, signal })) {
      if (change.kind === 'reset') await check(followed)
      else if (change.entry.type === 'token.revoked') {
        const { token: id } = parseJson<{ token: string }>(change.entry.body)
        for (const one of [...followed]) if (one.token.id === id) end(one)
        // A cookie is worth as much as the key that it came with.
        await check([...followed].filter(({ token }) => token.keyHash !== undefined))
      }
    }
  }

  function begin(): void {
    if (reading !== undefined || followed.size === 0 || host.closed()) return
    const stop = new AbortController()
    const cursor = store.journal.cursor()
    const mine = { stop, begun: cursor.then(nothing, nothing) }
    reading = mine
    cursor
      .then(async (after) => {
        // Revoked before the cursor, and after somebody looked: found by looking once more.
        const looked = check(followed)
        await Promise.all([read(after, stop.signal), looked])
      })
      .catch((error) => host.report({ doing: 'following tokens', error }))
      .finally(() => {
        if (reading === mine) reading = undefined
      })
  }

  function tick(): void {
    if (followed.size === 0 || host.closed()) {
      reading?.stop.abort()
      reading = undefined
      timer = undefined
      return
    }
    timer = host.clock.after(LOOK_EVERY_MS, tick)
    expire()
    begin()
    watcher.look()
  }

  return {
    follow(token) {
      const one: Followed = { token, over: new AbortController() }
      followed.add(one)
      timer ??= host.clock.after(LOOK_EVERY_MS, tick)
      if (reading === undefined) begin()
      else {
        // It was looked up before it was followed.
        reading.begun
          .then(() => check([one]))
          .catch((error) => host.report({ doing: 'following a token', error }))
      }
      return { over: one.over.signal, release: () => void followed.delete(one) }
    },
    stop() {
      timer?.cancel()
      reading?.stop.abort()
      followed.clear()
    },
  }
}

function nothing(): void {}
