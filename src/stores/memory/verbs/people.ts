/** Tokens and presence in memory. */
import type { Presence, PresenceVerbs, Token, TokenVerbs } from '../../store.ts'
import { type Applier, taken } from '../tables/applier.ts'
import { frozenCopy } from '../tables/frozen-copy.ts'
import type { MemoryJournal } from './journal.ts'

export function createTokens(applier: Applier, now: () => number, journal: MemoryJournal): TokenVerbs {
  const tokens = new Map<string, Token>()
  const bySecret = new Map<string, string>()

  function prepare(token: Token): Token {
    if (tokens.has(token.id)) throw taken('token', token.id)
    if (bySecret.has(token.secretHash)) throw taken('token with the secret of', token.id)
    return frozenCopy(token)
  }

  function add(token: Token): void {
    tokens.set(token.id, token)
    bySecret.set(token.secretHash, token.id)
  }

  function revoke(token: Token): void {
    tokens.set(token.id, Object.freeze({ ...token, revokedAt: now() }))
  }

  return {
    create: (token, entry) =>
      applier.write(() => {
        add(prepare(token))
        journal.add(entry)
      }),
    find: (secretHash) => applier.read(() => tokens.get(bySecret.get(secretHash) ?? '')),
    list: () => applier.read(() => [...tokens.values()]),
    revoke: (id, entry) =>
      applier.write(() => {
        const token = tokens.get(id)
        if (token === undefined || token.revokedAt !== undefined) return false
        revoke(token)
        journal.add(entry)
        return true
      }),
    exchange: (codeId, key, entry) =>
      applier.write(() => {
        const code = tokens.get(codeId)
        if (code === undefined || code.use !== 'login' || code.revokedAt !== undefined) return false
        if (code.expiresAt !== undefined && code.expiresAt <= now()) return false
        const kept = prepare(key)
        revoke(code)
        add(kept)
        journal.add(entry)
        return true
      }),
  }
}

export function createPresence(applier: Applier, now: () => number): PresenceVerbs {
  const channels = new Map<string, Map<string, { presence: Presence; until: number }>>()

  return {
    renew: (presence, leaseMs) =>
      applier.write(() => {
        const { channel, connection } = presence
        const kept = frozenCopy(presence)
        const connections = channels.get(channel) ?? new Map()
        for (const [other, { until }] of connections) if (until <= now()) connections.delete(other)
        connections.set(connection, { presence: kept, until: now() + leaseMs })
        channels.set(channel, connections)
      }),
    leave: (channel, connection) =>
      applier.write(() => {
        channels.get(channel)?.delete(connection)
      }),
    list: (channel) =>
      applier.read(() =>
        [...(channels.get(channel)?.values() ?? [])]
          .filter(({ until }) => until > now())
          .map(({ presence }) => presence),
      ),
  }
}
