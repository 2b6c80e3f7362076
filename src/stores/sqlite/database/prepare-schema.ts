/**
 * Makes a connection ready: ours or refused, in WAL mode with a synced commit, and migrated. A file that is not ours,
 * or that a newer Banksman wrote, is refused before anything in it is changed.
 */
import { BanksmanError } from '../../../core/errors.ts'
import type { SqliteConnection } from './connection.ts'
import { MIGRATIONS } from './migrations.ts'

/** "BKSM": tells our files from those of other programs that count their schema in `user_version` too. */
const APPLICATION_ID = 0x424b534d

/** Opening may wait for a neighbour that is migrating or recovering the file; later waits never block. */
const OPEN_TIMEOUT_MS = 5000

/**
 * 8 MB of log before it is folded back and written over from its beginning. A log that grows takes twice as long to sync as one that is
 * written over, so the first round is short.
 */
const CHECKPOINT_PAGES = 2_000

/** The indexes of a busy month stay in memory; the default of 2 MB would not hold them. */
const CACHE_KIB = 32 * 1024

export function prepareSchema(connection: SqliteConnection, path: string): void {
  connection.exec(`PRAGMA busy_timeout = ${OPEN_TIMEOUT_MS}`)
  const found = schemaOf(connection, path)
  const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal' && mode !== 'memory') {
    throw new BanksmanError('store_unavailable', `${path} can't be put into WAL mode (it is in ${mode})`)
  }
  connection.exec(
    `PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  )
  // A file that is up to date is opened without its write lock, which another process may be holding.
  if (found < MIGRATIONS.length) migrate(connection, path)
  connection.exec('PRAGMA busy_timeout = 0')
}

function migrate(connection: SqliteConnection, path: string): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    for (const sql of MIGRATIONS.slice(schemaOf(connection, path))) connection.exec(sql)
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${MIGRATIONS.length}`)
    connection.exec('COMMIT')
  } catch (error) {
    try {
      connection.exec('ROLLBACK')
    } catch {
      // A full disk has rolled it back already; the first error is the one to tell.
    }
    throw error
  }
}

/** Which of our schemas the file has; 0 when it is new. */
function schemaOf(connection: SqliteConnection, path: string): number {
  const application = Number(connection.prepare('PRAGMA application_id').get()?.application_id)
  const found = Number(connection.prepare('PRAGMA user_version').get()?.user_version)
  const tables = Number(connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count)
  if (application !== APPLICATION_ID) {
    if (application === 0 && found === 0 && tables === 0) return 0
    throw new BanksmanError(
      'store_corrupt',
      `${path} is a SQLite database of another program; name another file`,
    )
  }
  if (found > MIGRATIONS.length) {
    throw new BanksmanError(
      'schema_newer',
      `${path} was written by a newer Banksman (schema ${found}; this one knows ${MIGRATIONS.length}); use that version, or another file`,
      { found, known: MIGRATIONS.length },
    )
  }
  return found
}
