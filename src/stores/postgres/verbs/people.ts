/** What concerns people in Postgres: tokens and presence. */

import { toPresence, toToken } from '../../sql-rows.ts'
import type { PresenceVerbs, Token, TokenVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { nowOr, toServerNumber } from '../database/server-numbers.ts'
import { entryToJson } from './journal.ts'

export function createTokens(database: Database): TokenVerbs {
  const tokens = `SELECT revoked_at, body FROM ${database.schema}.tokens`
  return {
    create: (token, entry) =>
      database.verb(async () => {
        await database.write({ do: 'createToken', token: plainToken(token), entry: entryToJson(entry) }, [
          entry,
        ])
      }),
    find: (secretHash) =>
      database.verb(async () => {
        const [row] = await database.read(`${tokens} WHERE secret_hash = $1`, [secretHash])
        return row === undefined ? undefined : toToken(row)
      }),
    list: () => database.verb(async () => (await database.read(`${tokens} ORDER BY id`, [])).map(toToken)),
    revoke: (id, entry) =>
      database.verb(async () => {
        const operation = { do: 'revokeToken', id, entry: entryToJson(entry) }
        return (await database.write<{ won: boolean }>(operation, [entry])).won
      }),
    exchange: (codeId, key, entry) =>
      database.verb(async () => {
        const operation = {
          do: 'exchangeToken',
          id: codeId,
          token: plainToken(key),
          entry: entryToJson(entry),
        }
        return (await database.write<{ won: boolean }>(operation, [entry])).won
      }),
  }
}

export function createPresence(database: Database, ns: string, at: () => number | null): PresenceVerbs {
  const present = `SELECT channel, connection, subject, conversation FROM ${database.schema}.presence
    WHERE channel_key = ${database.schema}.key_v1($1, $2) AND until > ${nowOr('$3')}`
  return {
    renew: ({ channel, connection, subject, conversation }, leaseMs) =>
      database.verb(async () => {
        const lease = { channel, connection, subject, conversation, leaseMs: toServerNumber(leaseMs) }
        await database.write({ do: 'renewPresence', ...lease })
      }),
    leave: (channel, connection) =>
      database.verb(async () => {
        await database.write({ do: 'leavePresence', channel, connection })
      }),
    list: (channel) =>
      database.verb(async () => (await database.read(present, [ns, channel, at()])).map(toPresence)),
  }
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
