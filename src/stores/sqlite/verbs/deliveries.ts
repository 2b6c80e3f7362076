import { toDelivery } from '../../sql-rows.ts'
import type { DeliveryVerbs } from '../../store.ts'
import type { Database } from '../database/database.ts'

export function createDeliveries(database: Database, ns: string, now: () => number): DeliveryVerbs {
  const sql = (text: string) => database.statement(text)
  return {
    take: (channels, limit, leaseMs) =>
      database.write(() => {
        const marks = channels.map(() => '?').join(', ')
        const rows = sql(
          `SELECT * FROM deliveries WHERE ns = ? AND due_at <= ? AND shown_version < version
             AND channel IN (${marks}) ORDER BY due_at LIMIT ?`,
        ).all(ns, now(), ...channels, limit)
        const lease = sql(
          'UPDATE deliveries SET due_at = ?, attempts = attempts + 1, ticket = ticket + 1 WHERE request = ? AND channel = ?',
        )
        for (const row of rows) lease.run(now() + leaseMs, row.request!, row.channel!)
        return rows.map((row) => ({
          ...toDelivery(row),
          attempts: Number(row.attempts) + 1,
          ticket: Number(row.ticket) + 1,
        }))
      }),
    shown: ({ request, channel, ticket }, version, reference) =>
      database.write(() => {
        const { changes } = sql(
          `UPDATE deliveries SET shown_version = max(shown_version, ?), due_at = 0, attempts = 0,
             reference = coalesce(?, reference) WHERE request = ? AND channel = ? AND ns = ? AND ticket = ?`,
        ).run(
          version,
          reference === undefined ? null : JSON.stringify(reference),
          request,
          channel,
          ns,
          ticket,
        )
        return Number(changes) === 1
      }),
    failed: ({ request, channel, ticket }, retryInMs) =>
      database.write(() => {
        const { changes } = sql(
          'UPDATE deliveries SET due_at = ? WHERE request = ? AND channel = ? AND ns = ? AND ticket = ?',
        ).run(now() + retryInMs, request, channel, ns, ticket)
        return Number(changes) === 1
      }),
    async list(request) {
      const rows = database.read(() =>
        sql('SELECT * FROM deliveries WHERE request = ? AND ns = ? ORDER BY channel').all(request, ns),
      )
      return rows.map(toDelivery)
    },
  }
}
