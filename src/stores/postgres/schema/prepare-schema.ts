/**
 * Makes the schema ready: ours or refused, and migrated. A schema that another program uses, or that a newer Banksman
 * has migrated, is refused before anything in it is changed. Of several that open an empty database at once one does
 * the work and the others wait for it.
 */
import type { Pool } from 'pg'
import { BanksmanError } from '../../../core/errors.ts'
import type { PostgresAddress } from '../database/address.ts'
import { type Queryable, queryRows, quoteSqlName } from '../database/connections.ts'
import { errorCode, isSecret } from '../database/errors.ts'
import { MIGRATIONS } from './migrations.ts'

/** The table by which a schema is known as ours: one row with the number of its last step, and its identity. */
export const OWN_TABLE = 'banksman_schema'

const FOREIGN = -1

export async function prepareSchema(pool: Pool, address: PostgresAddress, schema: string): Promise<void> {
  // A schema that is up to date is opened without a lock and without any right to create.
  if (checkSchemaVersion(await readSchemaVersion(pool, schema), address, schema) === MIGRATIONS.length) return
  const client = await pool.connect()
  let failed = true
  try {
    await migrate(client, address, schema)
    failed = false
  } catch (error) {
    if (errorCode(error) === '42501') throw lacksRights(error, address, schema)
    throw error
  } finally {
    // A connection with a transaction that went wrong is not used again.
    client.release(failed)
  }
}

/** The number of the last step, 0 where there is nothing yet, and -1 where there is something that is not ours. */
export async function readSchemaVersion(asking: Queryable, schema: string): Promise<number> {
  const [row] = await queryRows(
    asking,
    `SELECT (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1) AS all,
       to_regclass($2) IS NOT NULL AS ours`,
    [schema, `${quoteSqlName(schema)}.${OWN_TABLE}`],
  )
  if (row?.ours !== true) return Number(row?.all) > 0 ? FOREIGN : 0
  const [found] = await queryRows(asking, `SELECT number FROM ${quoteSqlName(schema)}.${OWN_TABLE}`)
  return Number(found?.number ?? 0)
}

export function checkSchemaVersion(found: number, address: PostgresAddress, schema: string): number {
  if (found === FOREIGN) {
    throw new BanksmanError(
      'store_corrupt',
      `the schema ${quoteSqlName(schema)} in ${address.name} holds tables of another program; name another schema`,
    )
  }
  if (found > MIGRATIONS.length) {
    throw new BanksmanError(
      'schema_newer',
      `the schema ${quoteSqlName(schema)} in ${address.name} was migrated by a newer Banksman (schema ${found}; this one knows ${MIGRATIONS.length}); use that version, or another schema`,
      { found, known: MIGRATIONS.length },
    )
  }
  return found
}

async function migrate(client: Queryable, address: PostgresAddress, schema: string): Promise<void> {
  const name = quoteSqlName(schema)
  await queryRows(client, 'BEGIN')
  await queryRows(client, "SET LOCAL lock_timeout = '30s'")
  await queryRows(client, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `banksman schema ${schema}`,
  ])
  const found = checkSchemaVersion(await readSchemaVersion(client, schema), address, schema)
  const [there] = await queryRows(client, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (there === undefined) await queryRows(client, `CREATE SCHEMA ${name}`)
  await queryRows(client, `SET LOCAL search_path = ${name}, pg_temp`)
  if (found === 0) {
    await queryRows(
      client,
      `CREATE TABLE ${OWN_TABLE} (
         one boolean PRIMARY KEY DEFAULT true CHECK (one), number integer NOT NULL,
         installation uuid NOT NULL DEFAULT gen_random_uuid(), server text)`,
    )
    await queryRows(client, `INSERT INTO ${OWN_TABLE} (number) VALUES (0)`)
  }
  for (const step of MIGRATIONS.slice(found)) await queryRows(client, step(name))
  await queryRows(client, `UPDATE ${OWN_TABLE} SET number = $1`, [MIGRATIONS.length])
  await queryRows(client, 'COMMIT')
}

function lacksRights(error: unknown, address: PostgresAddress, schema: string): BanksmanError {
  const role = quoteSqlName('role')
  return new BanksmanError(
    'store_unavailable',
    `the role of the URL may not make its tables in ${address.redact(`${address.name} (${(error as Error).message})`)}. Either let it create the schema: GRANT CREATE ON DATABASE … TO ${role}; or make one for it: CREATE SCHEMA ${quoteSqlName(schema)} AUTHORIZATION ${role}`,
    {},
    isSecret(error, address) ? {} : { cause: error },
  )
}
