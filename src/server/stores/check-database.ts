/** Whether a database is sound, looked at in a connection that only reads: a damaged file is not touched further. */

import { createRequire } from 'node:module'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/json.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { guarded } from '../../stores/sqlite/database/errors.ts'

/** Throws `store_corrupt` with what SQLite found. It reads the whole file. */
export function checkDatabase(file: string): void {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const found = guarded('checking the database', file, () => {
    const connection = new DatabaseSync(file, { readOnly: true })
    try {
      return connection.prepare('PRAGMA quick_check(5)').all()
    } finally {
      connection.close()
    }
  })
  const messages = found.map((row) => String(row.quick_check))
  if (messages.length === 1 && messages[0] === 'ok') return
  throw new BanksmanError(
    'store_corrupt',
    `${file} is damaged (${messages.join('; ')}); stop the server and restore a backup`,
  )
}

/** What tells how far a store is, read without opening it as one: that would bring it to this version. */
export function readFarness(file: string) {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  const ask = (sql: string) =>
    guarded('reading the database', file, () => {
      const connection = new DatabaseSync(file, { readOnly: true })
      try {
        return connection.prepare(sql).all()
      } finally {
        connection.close()
      }
    })
  return {
    journal: {
      async chains() {
        const rows = ask(
          'SELECT c.chain, max(j.n) AS last FROM chains c LEFT JOIN journal j ON j.chain_id = c.id GROUP BY c.id',
        )
        return rows.map(({ chain, last }) => ({ chain: String(chain), last: Number(last ?? 0) }))
      },
    },
    settings: {
      async get(key: string) {
        const [row] = ask(`SELECT value FROM settings WHERE key = '${key}'`)
        return row === undefined ? undefined : parseJson<JsonValue>(String(row.value))
      },
    },
  }
}
