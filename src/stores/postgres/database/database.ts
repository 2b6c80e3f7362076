/**
 * The store's side of the server: writes go in batches, reads go to the pool.
 *
 * One batch is under way at a time. What arrives meanwhile waits and goes together as the next: one round trip and one
 * sync of the server's log for all of it. A batch is one statement, so it is committed whole or not at all; if the
 * connection is lost under it nobody can tell which, and all of it fails with `store_unavailable`. It is never sent again by
 * itself: an operation that was committed would then be done twice.
 */
import type { Pool, PoolClient } from 'pg'
import { BanksmanError } from '../../../core/errors.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import type { Hint } from '../../store.ts'
import type { PostgresAddress } from './address.ts'
import { queryRows, quoteSqlName, type Row, type SqlValue } from './connections.ts'
import { toOperationError, toStoreError } from './errors.ts'
import { toServerNumber } from './server-numbers.ts'
import { jsonFromServer, jsonToServer, toServer } from './server-text.ts'

export interface Database {
  /** The quoted name of the schema, for statements. */
  readonly schema: string
  /** Runs one verb. Whatever it throws comes out as one of ours; `close` waits for it, and none begins afterwards. */
  verb<T>(work: () => Promise<T>): Promise<T>
  /** Makes a verb of each of these functions. */
  verbs<Verbs extends object>(functions: Verbs): Verbs
  /**
   * Inside a verb: queues an operation of `apply_v2` and gives its result once it is committed. The entries are told
   * their numbers, in the order in which the operation writes them. `weight` says how many calls it holds.
   */
  write<T>(operation: Operation, entries?: readonly EntryDraft[], linger?: { weight: number }): Promise<T>
  /** Inside a verb. */
  read(text: string, values: readonly SqlValue[]): Promise<Row[]>
  close(): Promise<void>
}

export interface Operation {
  do: string
  [member: string]: unknown
}

export interface DatabaseParts {
  pool: Pool
  address: PostgresAddress
  schema: string
  namespace: string
  /** By which our own notifications are known. */
  origin(): string
  /**
   * What was sent under this origin may still be committed: when the server tells of it, nobody here knows of it yet. So
   * there is another origin from now on, and its notification is heard as another node's.
   */
  doubtOrigin(): void
  /** On which the others listen. */
  channel: string
  /** Stands in for the server's clock. */
  now: (() => number) | undefined
  tell(hint: Hint): void
}

/** Below the 64 subtransactions that a server keeps at hand; past them every reader looks into its files. */
const MAX_OPERATIONS = 60
const MAX_CHARACTERS = 4_000_000
/** Nobody waits for a lingering write, so it may share the batch of whatever else comes in this time. */
const LINGER_MS = 5
/** Lingering writes are held in memory; past this weight they go at once. */
const MAX_LINGERING = 512

interface Job {
  json: string
  entries: readonly EntryDraft[]
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface OperationResult {
  error?: string
  message?: string
  /** The numbers of the entries that were written. */
  n?: number[]
}

interface BatchAnswer {
  results: OperationResult[]
  wrote: boolean
  requests: string[] | null
}

export function createDatabase(parts: DatabaseParts): Database {
  const { pool, address, tell } = parts
  const schema = quoteSqlName(parts.schema)

  const apply = `SELECT ${schema}.apply_v2($1, $2, $3, $4, $5)::text AS answer`

  let queue: Job[] = []
  let scheduled: 'no' | 'linger' | 'now' = 'no'
  let timer: NodeJS.Timeout | undefined
  let lingering = 0
  let isUnderWay = false
  let active = 0
  let closed = false
  let closing: Promise<void> | undefined
  let drained: (() => void) | undefined

  function schedule(): void {
    if (isUnderWay || scheduled === 'now') return
    clearTimeout(timer)
    scheduled = 'now'
    setImmediate(flush)
  }

  function linger(weight: number): void {
    lingering += weight
    if (lingering >= MAX_LINGERING || closed) schedule()
    else if (scheduled === 'no' && !isUnderWay) {
      scheduled = 'linger'
      timer = setTimeout(flush, LINGER_MS)
    }
  }

  function flush(): void {
    scheduled = 'no'
    if (isUnderWay || queue.length === 0) return
    const jobs = nextBatch()
    isUnderWay = true
    void run(jobs).finally(() => {
      isUnderWay = false
      if (queue.length > 0) schedule()
    })
  }

  function nextBatch(): Job[] {
    let characters = 0
    const end = queue.findIndex((job, index) => {
      characters += job.json.length
      return index > 0 && (index >= MAX_OPERATIONS || characters > MAX_CHARACTERS)
    })
    const jobs = end === -1 ? queue : queue.slice(0, end)
    queue = end === -1 ? [] : queue.slice(end)
    if (queue.length === 0) lingering = 0
    return jobs
  }

  async function run(jobs: Job[]): Promise<void> {
    let answer: BatchAnswer
    try {
      answer = await send(`[${jobs.map(asWritten).join(',')}]`)
    } catch (error) {
      const reason = toStoreError(error, 'writing', address)
      parts.doubtOrigin()
      for (const job of jobs) job.reject(reason)
      // Whether it was committed can't be told. Whoever listens shall look, as after another node's commit.
      tell({ local: false })
      return
    }
    for (const [index, { entries }] of jobs.entries()) {
      for (const [place, n] of (answer.results[index]?.n ?? []).entries()) entries[place]?.committed(n)
    }
    for (const [index, job] of jobs.entries()) {
      const result = answer.results[index]!
      if (result.error === undefined) job.resolve(result)
      else job.reject(toOperationError(result.error, result.message ?? '', address))
    }
    if (!answer.wrote) return
    tell({ local: true, ...(answer.requests === null ? {} : { requests: answer.requests }) })
  }

  async function send(operations: string): Promise<BatchAnswer> {
    const { namespace, origin, channel, now } = parts
    const client = await pool.connect()
    let failed: unknown = true
    const stopWatching = watchForWarnings(client)
    try {
      // As parameters, though they go as several messages: of a statement that fails the server writes the text into its
      // log, and the arguments of calls don't belong there. The client hands all messages to the system in one piece.
      const at = now === undefined ? null : toServerNumber(now())
      const values = [toServer(namespace), origin(), channel, operations, at]
      const { rows } = await client.query<{ answer: string }>(apply, values)
      const warning = stopWatching()
      if (warning !== undefined) {
        throw new BanksmanError(
          'store_unavailable',
          address.redact(`whether a write reached every server can't be told: ${warning}`),
        )
      }
      failed = undefined
      return jsonFromServer(rows[0]!.answer) as BatchAnswer
    } finally {
      stopWatching()
      client.release(failed as boolean | undefined)
    }
  }

  async function verb<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new BanksmanError('closed', `the store on ${address.name} is closed`)
    active++
    try {
      return await work()
    } catch (error) {
      throw toStoreError(error, 'the store', address)
    } finally {
      active--
      if (active === 0) drained?.()
    }
  }

  return {
    schema,
    verb,
    verbs<Verbs extends object>(functions: Verbs) {
      const verbs = Object.entries(functions).map(([name, work]) => [
        name,
        (...given: unknown[]) => verb(() => work(...given)),
      ])
      return Object.fromEntries(verbs) as Verbs
    },
    write<T>(operation: Operation, entries: readonly EntryDraft[] = [], patience?: { weight: number }) {
      // Written out at once: what was handed in may be changed as soon as the verb has returned.
      const json = jsonToServer(operation)
      return new Promise<T>((resolve, reject) => {
        queue.push({ json, entries, resolve: resolve as (value: unknown) => void, reject })
        if (patience === undefined) schedule()
        else linger(patience.weight)
      })
    },
    async read(text, values) {
      try {
        return await queryRows(pool, text, values)
      } catch (error) {
        throw toStoreError(error, 'reading', address)
      }
    },
    close() {
      closed = true
      closing ??= (async () => {
        if (queue.length > 0) schedule()
        if (active > 0) {
          await new Promise<void>((resolve) => {
            drained = resolve
          })
        }
        await pool.end()
      })()
      return closing
    },
  }
}

/** What the writers know of their chains is read now, when it is sent: it has grown since. */
function asWritten({ json, entries }: Job): string {
  const follows = entries.flatMap(({ chain, follows = 0 }) =>
    follows > 0 ? [[chain, toServerNumber(follows)]] : [],
  )
  return follows.length === 0 ? json : `{"follows":${jsonToServer(follows)},${json.slice(1)}`
}

/**
 * A server that was told to stop waiting for its synchronous standby warns that the commit may not have reached it, and
 * then answers as if all were well. Nothing else in a batch warns.
 */
function watchForWarnings(client: PoolClient): () => string | undefined {
  let warning: string | undefined
  const hear = (notice: { severity: string | undefined; message: string | undefined }) => {
    if (notice.severity === 'WARNING') warning = notice.message ?? 'the server gave a warning'
  }
  client.on('notice', hear)
  return () => {
    client.off('notice', hear)
    return warning
  }
}
