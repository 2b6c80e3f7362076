/** What has to be true of a server before anything is kept on it. */
import { BanksmanError } from '../../../core/errors.ts'
import type { PostgresAddress } from '../database/address.ts'
import { type Queryable, queryRows } from '../database/connections.ts'

export interface ServerFacts {
  version: string
  versionNumber: number
  isReadOnly: boolean
  encoding: string
  isolation: string
  /** Without it a crash of the machine may lose or damage what was acknowledged. */
  fsync: boolean
  fullPageWrites: boolean
  synchronousCommit: string
  maxConnections: number
}

/** Sorting what an index has put in order only in part came with this one. */
const OLDEST = 130_000

export async function readPostgresFacts(asking: Queryable): Promise<ServerFacts> {
  const [row] = await queryRows(
    asking,
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS read_only,
       current_setting('server_encoding') AS encoding, current_setting('transaction_isolation') AS isolation,
       current_setting('fsync')::bool AS fsync, current_setting('full_page_writes')::bool AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit,
       current_setting('max_connections')::int AS max_connections`,
  )
  return {
    version: String(row?.version),
    versionNumber: Number(row?.number),
    isReadOnly: row?.read_only === true,
    encoding: String(row?.encoding),
    isolation: String(row?.isolation),
    fsync: row?.fsync === true,
    fullPageWrites: row?.full_page_writes === true,
    synchronousCommit: String(row?.synchronous_commit),
    maxConnections: Number(row?.max_connections),
  }
}

/** What forbids to keep anything there, each with what to do. */
export function findServerFaults(facts: ServerFacts, mayLose: boolean): string[] {
  const faults: string[] = []
  if (facts.versionNumber < OLDEST)
    faults.push(`it is Postgres ${facts.version}, and 13 is the oldest that will do; update it`)
  if (facts.isReadOnly)
    faults.push('it takes no writes: it is a standby, or transactions are read-only; name the primary')
  if (facts.encoding !== 'UTF8')
    faults.push(`the database is encoded in ${facts.encoding}; create one with ENCODING 'UTF8'`)
  if (facts.isolation !== 'read committed')
    faults.push(
      `transactions are "${facts.isolation}" by default, and a write has to see what was committed before it; ALTER ROLE … SET default_transaction_isolation = 'read committed'`,
    )
  if (!facts.fsync && !mayLose)
    faults.push(
      'fsync is off, so a crash of its machine may lose or damage what was acknowledged; set fsync = on and reload',
    )
  return faults
}

export function refuseUnfit(facts: ServerFacts, address: PostgresAddress, mayLose: boolean): void {
  const faults = findServerFaults(facts, mayLose)
  if (faults.length === 0) return
  throw new BanksmanError(
    'invalid_configuration',
    `the Postgres server ${address.name} can't be used: ${faults.join('. And ')}`,
  )
}
