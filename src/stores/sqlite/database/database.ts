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
import { BanksmanError } from '../../../core/errors.ts'
import {
  asTuples,
  openConnection,
  type SqliteConnection,
  type Statement,
  type TupleStatement,
} from './connection.ts'
import { guarded, isBusy, isNoTransaction, toStoreError } from './errors.ts'
import { prepareSchema } from './prepare-schema.ts'
import { watchSameFiles } from './same-files.ts'

export interface DatabaseOptions {
  path: string
  /** How a connection is made. The default opens the file with `node:sqlite`. */
  connect?: (path: string) => SqliteConnection
  /** How long a commit waits for another process's lock before it gives up. */
  lockTimeoutMs?: number
  /** Files that must stay what they are, besides the database and its log. */
  alsoWatched?: readonly string[]
  /** Told of faults that nobody waits for. */
  report?: (fault: { doing: string; error: unknown }) => void
}

export interface Database {
  /**
   * Queues a write. It runs inside a transaction, and the promise settles after COMMIT. Work that throws leaves no
   * trace; work that throws an `Undo` leaves none either, and resolves. `weight` says how many calls it holds.
   */
  write<T>(work: () => T, patience?: 'now' | 'linger', weight?: number): Promise<T>
  /** Reads at once; it sees everything that was committed. */
  read<T>(work: () => T): T
  statement(sql: string): Statement
  /** For the hot paths: a row comes as a list of its columns. No two of the selected columns may share a name. */
  tuples(sql: string): TupleStatement
  /** Counts transactions: what was read inside one is good until the number changes. */
  transaction(): number
  /** Inside a write: to be called once it is committed, and not at all if it is rolled back. */
  afterCommit(callback: () => void): void
  /** How often something was rolled back: what was remembered of uncommitted rows before that may be wrong. */
  rollbacks(): number
  /** Tells of commits, by this process or another. */
  onChange(listener: (change: { local: boolean }) => void): () => void
  close(): Promise<void>
}

/** Thrown by a write to take back all it did and still give a result. */
export class Undo {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** Nobody waits for a lingering write, so it may share the commit of whatever else comes in this time. */
const LINGER_MS = 5
/**
 * Lingering writes are held in memory; past this weight they are committed at once, even if the event loop never turns:
 * a program that awaits nothing but allowed calls gives no timer a chance.
 */
const MAX_LINGERING = 512
/** How soon another process's change is noticed. */
const POLL_MS = 40
const LOCK_TIMEOUT_MS = 10_000

type JobResult = { value: unknown } | { error: unknown }

interface Job {
  work: () => unknown
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const { path, connect = openConnection, lockTimeoutMs = LOCK_TIMEOUT_MS } = options
  const connection = guarded('opening the database', path, () => connect(path))
  const { dataVersion, begin, commit, savepoint, release, firstVersion } = prepareConnection(connection, path)

  const statements = new Map<string, Statement>()
  const listeners = new Set<(change: { local: boolean }) => void>()

  let queue: Job[] = []
  let queueWeight = 0
  let scheduled: 'no' | 'linger' | 'now' = 'no'
  let lingerTimer: NodeJS.Timeout | undefined
  let lockedSince: number | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false
  let closing: Promise<void> | undefined
  let rollbackCount = 0
  let transactionCount = 0
  /** A rollback failed, so what was taken back is still there for this connection to see. */
  let unfinished = false
  let callbacks: (() => void)[] = []
  let drained: (() => void) | undefined
  let seenVersion = firstVersion
  /** Why nothing is read or written any more: the file is another one. */
  let replaced: BanksmanError | undefined
  const watched = watchSameFiles([path, `${path}-wal`, ...(options.alsoWatched ?? [])], (file) => {
    replaced = new BanksmanError(
      'store_unavailable',
      `${file} was removed, moved or replaced while this process had it open; nothing is kept any more. Stop the server, put the file back or restore a backup, and start it again`,
    )
    options.report?.({ doing: 'watching the database', error: replaced })
  })
  let poll: NodeJS.Timeout | undefined

  function statement(sql: string): Statement {
    let prepared = statements.get(sql)
    if (prepared === undefined) {
      prepared = guarded('preparing a statement', path, () => connection.prepare(sql))
      statements.set(sql, prepared)
    }
    return prepared
  }

  function schedule(patience: 'now' | 'linger'): void {
    if (retry !== undefined) return
    if (patience === 'linger') {
      if (queueWeight >= MAX_LINGERING) flush()
      if (scheduled !== 'no' || queue.length === 0) return
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
    queueWeight = 0
    callbacks = []
    try {
      if (replaced !== undefined) throw replaced
      finishRollback()
      begin.run()
      transactionCount++
      lockedSince = undefined
    } catch (error) {
      if (isBusy(error) && comeBackLater(jobs)) return
      rollback()
      rejectAll(jobs, error)
      return
    }
    const results = runJobs(jobs)
    if (results === undefined) return
    try {
      commit.run()
    } catch (error) {
      rollback()
      rejectAll(jobs, error)
      // Whether it reached the disk can't be told. Whoever listens shall look, as after another process's commit.
      tell(false)
      return
    }
    for (const [index, job] of jobs.entries()) {
      const result = results[index]!
      if ('error' in result) job.reject(toStoreError(result.error, 'writing', path))
      else job.resolve(result.value)
    }
    settleDrain()
    // Before any of those promises is heard: their listeners run after this turn.
    for (const callback of callbacks) callback()
    // Whoever waits for the commit goes on first.
    setImmediate(() => {
      if (!closed) tell(true)
    })
  }

  /** Runs each job in its savepoint; undefined when the whole transaction was lost, with all jobs rejected. */
  function runJobs(jobs: Job[]): JobResult[] | undefined {
    const results: JobResult[] = []
    for (const job of jobs) {
      const before = callbacks.length
      try {
        savepoint.run()
        const value = job.work()
        release.run()
        results.push({ value })
      } catch (error) {
        results.push(error instanceof Undo ? { value: error.value } : { error })
        callbacks.length = before
        rollbackCount++
        try {
          connection.exec('ROLLBACK TO job; RELEASE job')
        } catch (second) {
          // A full disk or an I/O error makes SQLite drop the whole transaction, savepoints and all.
          rollback()
          rejectAll(jobs, error instanceof Undo ? second : error)
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
      unfinished = false
    } catch (error) {
      unfinished = !isNoTransaction(error)
    }
  }

  /** Nothing is read or written while rows that were taken back can still be seen (P7). */
  function finishRollback(): void {
    if (!unfinished) return
    rollback()
    if (unfinished)
      throw new BanksmanError('store_unavailable', `a failed write to ${path} can't be taken back yet`)
  }

  function refuseClosed(): void {
    if (replaced !== undefined) throw replaced
    if (closed) throw new BanksmanError('closed', `the store on ${path} is closed`)
  }

  async function closeWhenDrained(): Promise<void> {
    clearInterval(poll)
    if (queue.length > 0) {
      const empty = new Promise<void>((resolve) => {
        drained = resolve
      })
      flush()
      await empty
    }
    watched.close()
    // SQLite would remove the log of whatever has taken our file's place.
    if (replaced === undefined) guarded('closing the database', path, () => connection.close())
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
    retry = setTimeout(
      () => {
        retry = undefined
        flush()
      },
      1 + Math.random() * 7,
    )
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
    write<T>(work: () => T, patience: 'now' | 'linger' = 'now', weight = 1): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        refuseClosed()
        queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
        queueWeight += weight
        schedule(patience)
      })
    },
    read(work) {
      refuseClosed()
      finishRollback()
      return guarded('reading', path, work)
    },
    statement,
    tuples: (sql) => asTuples(guarded('preparing a statement', path, () => connection.prepare(sql))),
    transaction: () => transactionCount + rollbackCount,
    afterCommit(callback) {
      callbacks.push(callback)
    },
    rollbacks: () => rollbackCount,
    onChange(listener) {
      refuseClosed()
      listeners.add(listener)
      poll ??= setInterval(look, POLL_MS).unref()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(poll)
        poll = undefined
      }
    },
    close() {
      closed = true
      closing ??= closeWhenDrained()
      return closing
    },
  }
}

function prepareConnection(connection: SqliteConnection, path: string) {
  try {
    return guarded('preparing the database', path, () => {
      prepareSchema(connection, path)
      const dataVersion = connection.prepare('PRAGMA data_version')
      return {
        dataVersion,
        begin: connection.prepare('BEGIN IMMEDIATE'),
        commit: connection.prepare('COMMIT'),
        savepoint: connection.prepare('SAVEPOINT job'),
        release: connection.prepare('RELEASE job'),
        firstVersion: dataVersion.get()?.data_version,
      }
    })
  } catch (error) {
    connection.close()
    throw error
  }
}
