/** Whether a database is sound, looked at in a connection that only reads: a damaged file is not touched further. */
import { createRequire } from 'node:module'
import { BanksmanError } from '../../core/errors.ts'
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
