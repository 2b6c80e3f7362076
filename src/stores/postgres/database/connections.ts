/** The client library, imported late, and the two kinds of connection that the store makes with it. */
import type { Client, ClientBase, ClientConfig, Pool } from 'pg'
import { BanksmanError } from '../../../core/errors.ts'
import type { PostgresAddress } from './address.ts'
import { fromServer, toServer } from './server-text.ts'

export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[]
export type Row = Record<string, unknown>

/** What can be asked: the pool, one connection of it, or the connection that listens. */
export interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows?: Row[] }>
}

/** A connection that is not there after this long is none. */
const CONNECT_MS = 5000
/** No statement of ours takes this long on a server that works: whoever waits is told that it can't be had. */
const STATEMENT_MS = 30_000
/** Idle connections are dropped so that a burst does not keep the server's. */
const IDLE_MS = 60_000
/** A peer that vanished without a word is noticed by the operating system. */
const KEEP_ALIVE_MS = 10_000

export async function openPool(address: PostgresAddress, size: number): Promise<Pool> {
  const pg = await load()
  // The types of the pool speak of a client that takes no settings; it is given the pool's.
  const Client = closingClient(pg) as unknown as new () => ClientBase
  const pool = new pg.Pool({ ...settings(address), Client, max: size, idleTimeoutMillis: IDLE_MS })
  // A connection that is lost while it is in use says so twice: to who waits for an answer, and as an event that
  // would end the process if nobody listened.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

export async function openConnection(address: PostgresAddress): Promise<Client> {
  const pg = await load()
  const client = new (closingClient(pg))(settings(address))
  await client.connect()
  return client
}

/**
 * A client that gives up by itself while it connects, as without the password that it is asked for, leaves its socket
 * open: the server waits for its word, and the process does not end for a minute.
 */
function closingClient(pg: typeof import('pg')): typeof Client {
  return class extends pg.Client {
    override connect(): Promise<this>
    override connect(done: (error: Error) => void): void
    override connect(done?: (error: Error) => void): Promise<this> | undefined {
      if (done === undefined) {
        return super.connect().catch((error) => {
          destroySocket(this)
          throw error
        }) as Promise<this>
      }
      super.connect((error: Error) => {
        if (error) destroySocket(this)
        done(error)
      })
      return undefined
    }
  }
}

export function destroySocket(client: Client): void {
  ;(client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy()
}

/** Texts are written as the server can hold them, and read back as they were. Names no statement, for poolers' sake. */
export async function queryRows(
  to: Queryable,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<Row[]> {
  // Where a text has several statements the client gives a list, and nobody wants their rows.
  const { rows = [] } = await to.query(text, values.map(encoded))
  for (const row of rows) {
    for (const name in row) {
      const value = row[name]
      if (typeof value === 'string') row[name] = fromServer(value)
    }
  }
  return rows
}

/** A name as SQL writes it. */
export function quoteSqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function encoded(value: SqlValue): unknown {
  if (typeof value === 'string') return toServer(value)
  if (Array.isArray(value)) return value.map((one) => (typeof one === 'string' ? toServer(one) : one))
  return value
}

function settings(address: PostgresAddress): ClientConfig {
  return {
    connectionString: address.url,
    fallback_application_name: 'banksman',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  }
}

async function load(): Promise<typeof import('pg')> {
  try {
    const loaded = await import('pg')
    // It is a CommonJS module: what it exports is its default.
    return (loaded as unknown as { default: typeof loaded }).default
  } catch (error) {
    throw new BanksmanError(
      'invalid_configuration',
      'a Postgres store needs the package "pg"; install it with: npm install pg',
      {},
      { cause: error },
    )
  }
}
