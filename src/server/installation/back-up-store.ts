/**
 * A copy of a store that may be in use. SQLite makes it from one moment's snapshot, in a connection of its own that
 * only reads, so no writer waits for it; then it is opened as a store, checked and verified like one. A copy that
 * does not pass is taken away again: a backup that can't be restored is worse than none.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { BanksmanError } from '../../core/errors.ts'
import { trustKeys } from '../../journal/checkpoints/trusted-keys.ts'
import { pageJournal } from '../../journal/journal-source.ts'
import { type JournalReport, verifyJournal } from '../../journal/verification/verify-journal.ts'
import { guarded } from '../../stores/sqlite/database/errors.ts'
import { openSqliteStore } from '../../stores/sqlite/store.ts'
import type { Environment } from '../configuration/store-configuration.ts'
import { checkDatabase } from '../stores/check-database.ts'
import { describeStore, type StorePlace } from '../stores/store-place.ts'
import type { DataFolder } from './data-folder.ts'
import { type LocalJournal, openLocalJournal } from './open-local-journal.ts'
import { findLocalStore } from './open-local-store.ts'

export interface Backup {
  file: string
  bytes: number
  report: JournalReport
}

/** Longer than any commit takes. */
const LOCK_TIMEOUT_MS = 10_000

export async function backUpStore(
  folder: DataFolder,
  environment: Environment,
  target: string,
): Promise<Backup> {
  const file = resolve(target)
  const place = findLocalStore(folder, environment)
  if (place.kind !== 'sqlite') throw new BanksmanError('invalid', otherMeans(place))
  const journal = await openLocalJournal(folder, environment)
  try {
    claimFile(file)
    try {
      copyDatabase(place.file, file)
      checkDatabase(file)
      const report = await verifyCopy(file, journal)
      if (!report.ok) {
        const first = [...report.problems, ...report.chains.flatMap((chain) => chain.problems)][0]
        throw new BanksmanError(
          'store_corrupt',
          `the journal in the store does not verify (${first?.message ?? 'no details'}); no backup was kept. Run \`banksman journal verify\` for the whole report`,
        )
      }
      return { file, bytes: statSync(file).size, report }
    } catch (error) {
      for (const path of [file, `${file}-wal`, `${file}-shm`]) rmSync(path, { force: true })
      throw error
    }
  } finally {
    await journal.close()
  }
}

function otherMeans(place: StorePlace): string {
  const what = `the store is ${describeStore(place)}, which this command does not copy`
  if (place.kind === 'postgres')
    return `${what}; use Postgres's own tool, with the address that the server has: pg_dump --format=custom --schema=${place.schema ?? 'banksman'} --file=banksman.dump <address>, and pg_restore for the way back`
  return `${what}; use Redis's own means, with the address that the server has: redis-cli -u <address> --rdb banksman.rdb copies the whole server from one moment`
}

/** The name is taken with its mode before anything is written, and an existing file is never written over. */
function claimFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw error
    throw new BanksmanError(
      'invalid',
      `${file} exists; a backup is never written over another file, so name a new one`,
    )
  }
}

function copyDatabase(from: string, to: string): void {
  const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')
  guarded('copying the database', from, () => {
    const connection = new DatabaseSync(from, { readOnly: true })
    try {
      connection.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
      connection.prepare('VACUUM INTO ?').run(to)
    } finally {
      connection.close()
    }
  })
  const descriptor = openSync(to, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function verifyCopy(file: string, journal: LocalJournal): Promise<JournalReport> {
  const { checkpoints, publicKeys } = journal
  const keys = publicKeys.length === 0 ? undefined : trustKeys(publicKeys, checkpoints.rotations)
  const copy = openSqliteStore({ path: file })
  try {
    return await verifyJournal(
      pageJournal(copy.journal),
      keys === undefined ? {} : { checkpoints: checkpoints.checkpoints, keys },
    )
  } finally {
    await copy.close()
  }
}
