/**
 * One SQLite file, written by group commit.
 *
 * Writes are queued and committed together: one fdatasync for all that arrived in the same turn of the event
 * loop. Each runs in a savepoint of its own, so one that fails does not undo its neighbours, and each is
 * acknowledged only after COMMIT. Work that nobody waits for lingers a little so as to share a commit with others.
 *
 * The connection lives on the thread that uses it. A worker would keep a slow disk from holding up the event
 * loop, and costs two thread wake-ups a commit; docs/adr/0003 has the measurement. Another process's lock never
 * blocks: the busy timeout is zero, and a commit that finds the file locked comes back a little later.
 */
import { BanksmanError } from '../../core/errors.ts'
import { type Connection, openConnection, type Row, type SqlValue, type Statement } from './connection.ts'
import { isBusy, toStoreError } from './errors.ts'
import { MIGRATIONS } from './migrations.ts'

export interface DatabaseOptions {
  path: string
  /** How a connection is made. The default opens the file with `node:sqlite`. */
  connect?: (path: string) => Connection
  /** How long a commit waits for another process's lock before it gives up. */
  lockTimeoutMs?: number
}

export interface Database {
  readonly path: string
  /** Queues a write. It runs inside a transaction, and the promise settles after COMMIT. */
  write<T>(work: () => T, patience?: 'now' | 'linger'): Promise<T>
  /** Reads at once; it sees everything that was committed. */
  read<T>(work: () => T): T
  statement(sql: string): Statement
  /** Inside a write: to be called once it is committed, and not at all if it is rolled back. */
  afterCommit(callback: () => void): void
  /** How often something was rolled back: what was remembered of uncommitted rows before that may be wrong. */
  rollbacks(): number
  /** Tells of commits, by this process or another. */
  onChange(listener: (change: { local: boolean }) => void): () => void
  close(): Promise<void>
}

/** Nobody waits for a lingering write, so it may share the commit of whatever else comes in this time. */
const LINGER_MS = 5
/** Lingering writes are held in memory; past this many they are committed at once. */
const MAX_LINGERING = 512
/** How soon another process's change is noticed. */
const POLL_MS = 40
const LOCK_TIMEOUT_MS = 10_000

interface Job {
  work: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const { path, connect = openConnection, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const connection = guarded('opening the database', path, () => connect(path))
  try {
    guarded('preparing the database', path, () => prepareSchema(connection, path))
  } catch (error) {
    connection.close()
    throw error
  }

  const statements = new Map<string, Statement>()
  const listeners = new Set<(change: { local: boolean }) => void>()
  const dataVersion = connection.prepare('PRAGMA data_version')
  const begin = connection.prepare('BEGIN IMMEDIATE')
  const commit = connection.prepare('COMMIT')
  const savepoint = connection.prepare('SAVEPOINT job')
  const release = connection.prepare('RELEASE job')

  let queue: Job[] = []
  let scheduled: 'no' | 'linger' | 'now' = 'no'
  let lingerTimer: NodeJS.Timeout | undefined
  let lockedSince: number | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false
  let rollbackCount = 0
  let callbacks: (() => void)[] = []
  let drained: (() => void) | undefined
  let seenVersion = dataVersion.get()?.data_version
  let poll: NodeJS.Timeout | undefined

  function statement(sql: string): Statement {
    let prepared = statements.get(sql)
    if (prepared === undefined) {
      prepared = connection.prepare(sql)
      statements.set(sql, prepared)
    }
    return prepared
  }

  function schedule(patience: 'now' | 'linger'): void {
    if (retry !== undefined) return
    if (patience === 'linger') {
      if (queue.length >= MAX_LINGERING) return flush()
      if (scheduled !== 'no') return
      scheduled = 'linger'
      lingerTimer = setTimeout(flush, LINGER_MS)
    } else if (scheduled !== 'now') {
      clearTimeout(lingerTimer)
      scheduled = 'now'
      setImmediate(flush)
    }
  }

  function flush(): void {
    if (retry !== undefined) return
    clearTimeout(lingerTimer)
    scheduled = 'no'
    const jobs = queue
    if (jobs.length === 0) return
    queue = []
    callbacks = []
    try {
      begin.run()
      lockedSince = undefined
    } catch (error) {
      if (isBusy(error) && comeBackLater(jobs)) return
      return rejectAll(jobs, error)
    }
    const results = runJobs(jobs)
    if (results === undefined) return
    try {
      commit.run()
    } catch (error) {
      rollback()
      return rejectAll(jobs, error)
    }
    for (const callback of callbacks) callback()
    for (const [index, job] of jobs.entries()) {
      const result = results[index]!
      if ('error' in result) job.reject(toStoreError(result.error, 'writing', path))
      else job.resolve(result.value)
    }
    tell(true)
    settleDrain()
  }

  /** Runs each job in its savepoint; undefined when the whole transaction was lost, with all jobs rejected. */
  function runJobs(jobs: Job[]): ({ value: unknown } | { error: unknown })[] | undefined {
    const results: ({ value: unknown } | { error: unknown })[] = []
    for (const job of jobs) {
      const before = callbacks.length
      try {
        savepoint.run()
        const value = job.work()
        release.run()
        results.push({ value })
      } catch (error) {
        results.push({ error })
        callbacks.length = before
        rollbackCount++
        try {
          connection.exec('ROLLBACK TO job; RELEASE job')
        } catch {
          // A full disk or an I/O error makes SQLite drop the whole transaction, savepoints and all.
          rollback()
          rejectAll(jobs, error)
          return undefined
        }
      }
    }
    return results
  }

  function rollback(): void {
    rollbackCount++
    try {
      connection.exec('ROLLBACK')
    } catch {
      // It was already rolled back.
    }
  }

  function comeBackLater(jobs: Job[]): boolean {
    const now = performance.now()
    lockedSince ??= now
    if (now - lockedSince > lockTimeoutMs) {
      lockedSince = undefined
      return false
    }
    queue = [...jobs, ...queue]
    // Between 1 and 8 ms: a neighbour's commit takes a fraction of one, and equal waits would collide again.
    retry = setTimeout(() => {
      retry = undefined
      flush()
    }, 1 + Math.random() * 7)
    return true
  }

  function rejectAll(jobs: Job[], error: unknown): void {
    const reason = toStoreError(error, 'writing', path)
    for (const job of jobs) job.reject(reason)
    settleDrain()
  }

  function settleDrain(): void {
    if (queue.length > 0) return
    drained?.()
    drained = undefined
  }

  function tell(local: boolean): void {
    for (const listener of listeners) listener({ local })
  }

  function look(): void {
    let version: string | number | null | undefined
    try {
      version = dataVersion.get()?.data_version
    } catch {
      return // The next look, or the next write, will tell.
    }
    if (version === seenVersion) return
    seenVersion = version
    tell(false)
  }

  return {
    path,
    write<T>(work: () => T, patience: 'now' | 'linger' = 'now'): Promise<T> {
      if (closed) return Promise.reject(new BanksmanError('closed', `the store on ${path} is closed`))
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
        schedule(patience)
      })
    },
    read(work) {
      if (closed) throw new BanksmanError('closed', `the store on ${path} is closed`)
      return guarded('reading', path, work)
    },
    statement,
    afterCommit(callback) {
      callbacks.push(callback)
    },
    rollbacks: () => rollbackCount,
    onChange(listener) {
      listeners.add(listener)
      poll ??= setInterval(look, POLL_MS).unref()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(poll)
        poll = undefined
      }
    },
    async close() {
      if (closed) return
      closed = true
      clearInterval(poll)
      if (queue.length > 0) {
        const empty = new Promise<void>((resolve) => {
          drained = resolve
        })
        flush()
        await empty
      }
      connection.close()
    },
  }
}

function prepareSchema(connection: Connection, path: string): void {
  connection.exec('PRAGMA busy_timeout = 5000')
  const mode = connection.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal' && mode !== 'memory') {
    throw new BanksmanError('store_unavailable', `${path} can't be put into WAL mode (it is in ${mode})`)
  }
  connection.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA wal_autocheckpoint = 4000')
  connection.exec('BEGIN IMMEDIATE')
  try {
    const found = Number(connection.prepare('PRAGMA user_version').get()?.user_version)
    if (found > MIGRATIONS.length) {
      throw new BanksmanError(
        'schema_newer',
        `${path} was written by a newer Banksman (schema ${found}; this one knows ${MIGRATIONS.length}); use that version, or another file`,
        { found, known: MIGRATIONS.length },
      )
    }
    if (found === 0 && tableCount(connection) > 0) {
      throw new BanksmanError('store_corrupt', `${path} is a SQLite database of another program; name another file`)
    }
    for (const sql of MIGRATIONS.slice(found)) connection.exec(sql)
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    connection.exec('COMMIT')
  } catch (error) {
    connection.exec('ROLLBACK')
    throw error
  }
  connection.exec('PRAGMA busy_timeout = 0')
}

function tableCount(connection: Connection): number {
  return Number(connection.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count)
}

function guarded<T>(doing: string, path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toStoreError(error, doing, path)
  }
}

export type { Row, SqlValue }
