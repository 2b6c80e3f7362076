/** What concerns people in Postgres: tokens and presence. */

import { readableRows, toPresence, toToken } from '../../sql-rows.ts'
import type { PresenceVerbs, Token, TokenVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { nowOr, toServerNumber } from '../database/server-numbers.ts'
import { hasWon, writeWith } from './journal.ts'

export function createTokens(
  database: Database,
  report: (fault: { doing: string; error: unknown }) => void,
): TokenVerbs {
  const tokens = `SELECT id, revoked_at, body FROM ${database.schema}.tokens`
  return database.verbs<TokenVerbs>({
    async create(token, entry) {
      await writeWith(database, { do: 'createToken', token: plainToken(token) }, entry)
    },
    async find(secretHash) {
      const [row] = await database.read(`${tokens} WHERE secret_hash = $1`, [secretHash])
      return row === undefined ? undefined : toToken(row)
    },
    list: async () => readableRows(await database.read(`${tokens} ORDER BY id`, []), toToken, report),
    async revoke(id, entry) {
      return hasWon(database, { do: 'revokeToken', id }, entry)
    },
    async exchange(codeId, key, entry) {
      return hasWon(database, { do: 'exchangeToken', id: codeId, token: plainToken(key) }, entry)
    },
  })
}

export function createPresence(database: Database, ns: string, at: () => number | null): PresenceVerbs {
  const present = `SELECT channel, connection, subject, conversation FROM ${database.schema}.presence
    WHERE channel_key = ${database.schema}.key_v1($1, $2) AND until > ${nowOr('$3')}`
  return database.verbs<PresenceVerbs>({
    async renew({ channel, connection, subject, conversation }, leaseMs) {
      const lease = { channel, connection, subject, conversation, leaseMs: toServerNumber(leaseMs) }
      await database.write({ do: 'renewPresence', ...lease })
    },
    async leave(channel, connection) {
      await database.write({ do: 'leavePresence', channel, connection })
    },
    list: async (channel) => (await database.read(present, [ns, channel, at()])).map(toPresence),
  })
}

function plainToken(token: Token): object {
  return {
    id: token.id,
    secretHash: token.secretHash,
    use: token.use,
    ...(token.expiresAt === undefined ? {} : { expiresAt: toServerNumber(token.expiresAt) }),
    body: JSON.stringify(token),
  }
}
