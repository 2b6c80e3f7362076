/**
 * Which server this is, as it can be told from another: the cluster, its timeline, which every failover and every restore
 * to an earlier moment begins anew, and the schema itself, which a restored dump makes again.
 *
 * A place in the feed means nothing elsewhere, so every cursor carries this. A standby that took over may lack what was
 * acknowledged unless it was synchronous, so a change is told to whoever watches.
 */
import type { Pool } from 'pg'
import { type Queryable, queryRows, quoteSqlName } from '../database/connections.ts'
import { errorCode } from '../database/errors.ts'
import { OWN_TABLE } from './prepare-schema.ts'

/** Managed servers may keep some of these to themselves: then what is left has to do. */
const PARTS = [
  "'system ' || (SELECT system_identifier FROM pg_control_system())",
  "'timeline ' || ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int",
]

export interface ServerIdentity {
  /** An SQL expression for the words that tell this server from others. */
  readonly words: string
  /** An SQL expression for a short digest of them. */
  readonly mark: string
}

export async function readServerIdentity(pool: Pool, schema: string): Promise<ServerIdentity> {
  const allowed: string[] = []
  for (const part of PARTS) {
    try {
      await queryRows(pool, `SELECT ${part}`)
      allowed.push(part)
    } catch (error) {
      if (errorCode(error) !== '42501') throw error
    }
  }
  const table = `${quoteSqlName(schema)}.${OWN_TABLE}`
  const oid = `'schema ' || (SELECT oid FROM pg_namespace WHERE nspname = '${schema.replaceAll("'", "''")}')`
  const words = `concat_ws(', ', ${[...allowed, oid].join(', ')})`
  return {
    words,
    mark: `(SELECT left(md5(concat_ws(' ', installation, ${words})), 16) FROM ${table})`,
  }
}

/** Which server it is, and whether it is another one than when any of us last looked: only the first that looks is told. */
export async function noteServer(
  asking: Queryable,
  schema: string,
  identity: ServerIdentity,
): Promise<{ server: string; replaced?: { from: string; to: string } }> {
  const table = `${quoteSqlName(schema)}.${OWN_TABLE}`
  const [row] = await queryRows(
    asking,
    `WITH before AS (SELECT server FROM ${table}),
       noted AS (UPDATE ${table} SET server = ${identity.words} WHERE server IS DISTINCT FROM ${identity.words}
                 RETURNING server)
     SELECT ${identity.words} AS server, before.server AS from, noted.server AS to FROM before LEFT JOIN noted ON true`,
  )
  const server = String(row?.server)
  if (row === undefined || row.from === null || row.to === null) return { server }
  return { server, replaced: { from: String(row.from), to: String(row.to) } }
}
