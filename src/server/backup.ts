/**
 * A copy of a store that may be in use. SQLite makes it from one moment's snapshot, in a connection of its own that
 * only reads, so no writer waits for it; then it is opened as a store, checked and verified like one. A copy that
 * does not pass is taken away again: a backup that can't be restored is worse than none.
 */
import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { BanksmanError } from '../core/errors.ts'
import { type JournalReport, pageJournal, trustKeys, verifyJournal } from '../journal/index.ts'
import { guarded } from '../stores/sqlite/errors.ts'
import { openSqliteStore } from '../stores/sqlite/store.ts'
import type { DataFolder } from './data-folder.ts'
import { openLocalJournal } from './local-journal.ts'
import { checkDatabase } from './store-health.ts'

export interface Backup {
  file: string
  bytes: number
  report: JournalReport
}

/** Longer than any commit takes. */
const LOCK_TIMEOUT_MS = 10_000

export async function backUpStore(folder: DataFolder, target: string): Promise<Backup> {
  const file = resolve(target)
  const journal = openLocalJournal(folder)
  try {
    claimFile(file)
    try {
      copyDatabase(folder.database, file)
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

async function verifyCopy(
  file: string,
  journal: ReturnType<typeof openLocalJournal>,
): Promise<JournalReport> {
  const { checkpoints, publicKey } = journal
  const keys = publicKey === undefined ? undefined : trustKeys(publicKey, checkpoints.rotations)
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
