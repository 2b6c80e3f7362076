/** What concerns people in SQLite: tokens and presence. */
import { LAST_TIME } from '../../../core/time/duration.ts'
import { readableRows, toPresence, toToken } from '../../sql-rows.ts'
import type { PresenceVerbs, Token, TokenVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'
import type { SqliteJournal } from './journal.ts'

export function createTokens(
  database: Database,
  now: () => number,
  journal: SqliteJournal,
  report?: (fault: { doing: string; error: unknown }) => void,
): TokenVerbs {
  const sql = (text: string) => database.statement(text)
  const insert = (token: Token) =>
    sql('INSERT INTO tokens (id, secret_hash, namespace, expires_at, body) VALUES (?, ?, ?, ?, ?)').run(
      token.id,
      token.secretHash,
      token.namespace,
      token.expiresAt === undefined ? null : Math.min(token.expiresAt, LAST_TIME),
      JSON.stringify(token),
    )
  return {
    create: (token, entry) =>
      database.write(() => {
        insert(token)
        journal.add(entry)
      }),
    async find(secretHash) {
      const row = database.read(() => sql('SELECT * FROM tokens WHERE secret_hash = ?').get(secretHash))
      return row === undefined ? undefined : toToken(row)
    },
    async list() {
      return readableRows(
        database.read(() => sql('SELECT * FROM tokens ORDER BY id').all()),
        toToken,
        report,
      )
    },
    revoke: (id, entry) =>
      database.write(() => {
        const { changes } = sql('UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').run(
          now(),
          id,
        )
        if (Number(changes) === 0) return false
        journal.add(entry)
        return true
      }),
    exchange: (codeId, key, entry) =>
      database.write(() => {
        const { changes } = sql(
          `UPDATE tokens SET revoked_at = ?1 WHERE id = ?2 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > ?1) AND json_extract(body, '$.use') = 'login'`,
        ).run(now(), codeId)
        if (Number(changes) === 0) return false
        insert(key)
        journal.add(entry)
        return true
      }),
  }
}

export function createPresence(database: Database, ns: string, now: () => number): PresenceVerbs {
  const sql = (text: string) => database.statement(text)
  return {
    renew: (presence, leaseMs) =>
      database.write(() => {
        sql(
          `INSERT INTO presence (ns, channel, connection, subject, conversation, until) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (ns, channel, connection) DO UPDATE SET until = excluded.until, subject = excluded.subject,
             conversation = excluded.conversation`,
        ).run(
          ns,
          presence.channel,
          presence.connection,
          presence.subject,
          presence.conversation ?? null,
          now() + leaseMs,
        )
        sql('DELETE FROM presence WHERE ns = ? AND until <= ?').run(ns, now())
      }),
    leave: (channel, connection) =>
      database.write(() => {
        sql('DELETE FROM presence WHERE ns = ? AND channel = ? AND connection = ?').run(
          ns,
          channel,
          connection,
        )
      }),
    async list(channel) {
      const rows = database.read(() =>
        sql('SELECT * FROM presence WHERE ns = ? AND channel = ? AND until > ?').all(ns, channel, now()),
      )
      return rows.map(toPresence)
    },
  }
}
