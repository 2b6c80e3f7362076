/** The Postgres store: several machines, one database. */
import { createHash, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { BanksmanError } from '../../core/errors.ts'
import { createServerClock } from '../server-clock.ts'
import type { Hint, Store } from '../store.ts'
import { readPostgresAddress } from './database/address.ts'
import { openPool } from './database/connections.ts'
import { createDatabase } from './database/database.ts'
import { toStoreError } from './database/errors.ts'
import { createHints, type Hints } from './database/hints.ts'
import { openListener } from './database/listener.ts'
import { checkSchemaVersion, prepareSchema, readSchemaVersion } from './schema/prepare-schema.ts'
import { readPostgresFacts, refuseUnfit } from './schema/server-facts.ts'
import { noteServer, readServerIdentity } from './schema/server-identity.ts'
import { createCalls } from './verbs/calls.ts'
import { createDeliveries } from './verbs/deliveries.ts'
import { createGrants } from './verbs/grants.ts'
import { createJournal } from './verbs/journal.ts'
import { createLeases } from './verbs/leases.ts'
import { createPresence, createTokens } from './verbs/people.ts'
import { createRecords } from './verbs/records.ts'
import { createRequests } from './verbs/requests.ts'
import { createSessions } from './verbs/sessions.ts'
import { createSettings } from './verbs/settings.ts'
import { createTurnLog } from './verbs/turn-log.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`, of the server or of a pooler. */
  url: string
  /** The server itself, where `url` names a pooler that can't carry LISTEN. */
  listenUrl?: string
  /** Where the tables are; made if it is not there. */
  schema?: string
  namespace?: string
  /** How many connections are used at most, besides the one that listens. */
  poolSize?: number
  /** Opens on a server that may lose what was acknowledged when its machine crashes. For tests. */
  mayLose?: boolean
  /** Stands in for the server's clock. For tests. */
  now?: () => number
  /** Told of faults that nobody waits for. */
  report?: (fault: { doing: string; error: unknown }) => void
}

/** One for the batch that is written, and some for reads. A few are enough: a statement takes a millisecond. */
export const POOL_SIZE = 6
/** It is part of every key, and keys have a bound. */
const MAX_NAMESPACE = 200

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const address = readPostgresAddress('url', options.url)
  const schema = readSchema(options.schema)
  refuseLongNamespace(options.namespace)
  const hints = createHints(options.report)
  const pool = await openPool(address, options.poolSize ?? POOL_SIZE)
  // A connection that is lost while nobody uses it is replaced; whoever asks next is told if that fails.
  pool.on('error', (error) =>
    options.report?.({ doing: 'keeping a connection', error: toStoreError(error, 'waiting', address) }),
  )
  try {
    refuseUnfit(await readPostgresFacts(pool), address, options.mayLose === true)
    await prepareSchema(pool, address, schema)
    return await createStore(pool, schema, hints, options)
  } catch (error) {
    await pool.end()
    throw toStoreError(error, 'opening the store', address, 'opening')
  }
}

async function createStore(
  pool: Pool,
  schema: string,
  hints: Hints,
  options: PostgresStoreOptions,
): Promise<Store> {
  const { namespace: ns = 'default', now, report = () => {} } = options
  const address = readPostgresAddress('url', options.url)
  const clock = createServerClock()
  let origin = randomUUID()
  /** The one that this store object last worked with. */
  let lastServer: string | undefined
  const channel = channelOf(schema, ns)
  const identity = await readServerIdentity(pool, schema)
  const tell = (hint: Hint) => hints.tell(hint)
  const listener = await openListener({
    address: options.listenUrl === undefined ? address : readPostgresAddress('listenUrl', options.listenUrl),
    channel,
    isOwn: (one) => one === origin,
    clock,
    tell,
    report,
    async connected() {
      // Through the pool: where the two name different servers, the one that is written to counts.
      const { server, replaced: noted } = await noteServer(pool, schema, identity)
      const before = lastServer
      lastServer = server
      // Another node may have noted it first, and what is remembered here is as old as what is remembered there.
      const isAnother = before !== undefined && before !== server
      const replaced = noted ?? (isAnother ? { from: before, to: server } : undefined)
      if (replaced !== undefined) tell({ local: false, replaced })
    },
  })
  try {
    await listener.check(pool)
  } catch (error) {
    await listener.close()
    throw error
  }
  const database = createDatabase({
    pool,
    address,
    schema,
    namespace: ns,
    origin: () => origin,
    doubtOrigin() {
      origin = randomUUID()
    },
    channel,
    now,
    tell,
  })
  const at = () => (now === undefined ? null : Math.floor(now()))
  let isClosed = false
  return {
    name: 'postgres',
    now: now ?? clock.now,
    ...createRequests(database, ns, at),
    calls: createCalls(database, ns),
    grants: createGrants(database, ns, at),
    sessions: createSessions(database, ns),
    turns: createTurnLog(database, ns),
    tokens: createTokens(database, report),
    presence: createPresence(database, ns, at),
    deliveries: createDeliveries(database, ns),
    leases: createLeases(database, ns, at),
    records: createRecords(database, ns, at),
    journal: createJournal(database, ns, identity),
    settings: createSettings(database, ns),
    async checkSchema() {
      try {
        checkSchemaVersion(await readSchemaVersion(pool, schema), address, schema)
      } catch (error) {
        throw toStoreError(error, 'reading the schema', address)
      }
    },
    watch(hear) {
      if (isClosed) throw new BanksmanError('closed', `the store on ${address.name} is closed`)
      return hints.add(hear)
    },
    async close() {
      isClosed = true
      await database.close()
      await listener.close()
    },
  }
}

/** The notifications of a namespace are heard by those who have it open. A channel's name has at most 63 bytes. */
export function channelOf(schema: string, ns: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([schema, ns]))
    .digest('hex')
  return `banksman_${digest.slice(0, 32)}`
}

export function readSchema(schema = 'banksman'): string {
  if (/^(?!pg_)[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(schema)) return schema
  throw new BanksmanError(
    'invalid_configuration',
    `schema is ${JSON.stringify(schema)}; it takes up to 63 letters, digits and _, does not begin with a digit, and does not begin with pg_`,
  )
}

function refuseLongNamespace(namespace = 'default'): void {
  if (namespace.length > 0 && namespace.length <= MAX_NAMESPACE) return
  throw new BanksmanError(
    'invalid_configuration',
    `namespace has ${namespace.length} characters; it takes 1 to ${MAX_NAMESPACE}`,
  )
}
