/**
 * Makes the schema ready: ours or refused, and migrated. A schema that another program uses, or that a newer Banksman
 * has migrated, is refused before anything in it is changed. Of several that open an empty database at once one does
 * the work and the others wait for it.
 */
import type { Pool } from 'pg'
import { BanksmanError } from '../../core/errors.ts'
import type { Address } from './address.ts'
import { type Asking, ask, quoted } from './connections.ts'
import { errorCode, isSecret } from './errors.ts'
import { MIGRATIONS } from './migrations.ts'

/** The table by which a schema is known as ours: one row with the number of its last step, and its identity. */
export const OWN_TABLE = 'banksman_schema'

const FOREIGN = -1

export async function prepareSchema(pool: Pool, address: Address, schema: string): Promise<void> {
  // A schema that is up to date is opened without a lock and without any right to create.
  if (known(await numberOf(pool, schema), address, schema) === MIGRATIONS.length) return
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
export async function numberOf(asking: Asking, schema: string): Promise<number> {
  const [row] = await ask(
    asking,
    `SELECT (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1) AS all,
       to_regclass($2) IS NOT NULL AS ours`,
    [schema, `${quoted(schema)}.${OWN_TABLE}`],
  )
  if (row?.ours !== true) return Number(row?.all) > 0 ? FOREIGN : 0
  const [found] = await ask(asking, `SELECT number FROM ${quoted(schema)}.${OWN_TABLE}`)
  return Number(found?.number ?? 0)
}

export function known(found: number, address: Address, schema: string): number {
  if (found === FOREIGN) {
    throw new BanksmanError(
      'store_corrupt',
      `the schema ${quoted(schema)} in ${address.name} holds tables of another program; name another schema`,
    )
  }
  if (found > MIGRATIONS.length) {
    throw new BanksmanError(
      'schema_newer',
      `the schema ${quoted(schema)} in ${address.name} was migrated by a newer Banksman (schema ${found}; this one knows ${MIGRATIONS.length}); use that version, or another schema`,
      { found, known: MIGRATIONS.length },
    )
  }
  return found
}

async function migrate(client: Asking, address: Address, schema: string): Promise<void> {
  const name = quoted(schema)
  await ask(client, 'BEGIN')
  await ask(client, "SET LOCAL lock_timeout = '30s'")
  await ask(client, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`banksman schema ${schema}`])
  const found = known(await numberOf(client, schema), address, schema)
  const [there] = await ask(client, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (there === undefined) await ask(client, `CREATE SCHEMA ${name}`)
  await ask(client, `SET LOCAL search_path = ${name}, pg_temp`)
  if (found === 0) {
    await ask(
      client,
      `CREATE TABLE ${OWN_TABLE} (
         one boolean PRIMARY KEY DEFAULT true CHECK (one), number integer NOT NULL,
         installation uuid NOT NULL DEFAULT gen_random_uuid(), server text)`,
    )
    await ask(client, `INSERT INTO ${OWN_TABLE} (number) VALUES (0)`)
  }
  for (const step of MIGRATIONS.slice(found)) await ask(client, step(name))
  await ask(client, `UPDATE ${OWN_TABLE} SET number = $1`, [MIGRATIONS.length])
  await ask(client, 'COMMIT')
}

function lacksRights(error: unknown, address: Address, schema: string): BanksmanError {
  const role = quoted('role')
  return new BanksmanError(
    'store_unavailable',
    `the role of the URL may not make its tables in ${address.redact(`${address.name} (${(error as Error).message})`)}. Either let it create the schema: GRANT CREATE ON DATABASE … TO ${role}; or make one for it: CREATE SCHEMA ${quoted(schema)} AUTHORIZATION ${role}`,
    {},
    isSecret(error, address) ? {} : { cause: error },
  )
}
