/** What `banksman doctor` says of a Postgres server. Nothing on it is changed. */
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Finding } from '../../core/support/finding.ts'
import { createServerClock } from '../server-clock.ts'
import { type PostgresAddress, readPostgresAddress } from './database/address.ts'
import { openPool } from './database/connections.ts'
import { toStoreError } from './database/errors.ts'
import { openListener } from './database/listener.ts'
import { MIGRATIONS } from './schema/migrations.ts'
import { checkSchemaVersion, readSchemaVersion } from './schema/prepare-schema.ts'
import { findServerFaults, readPostgresFacts, type ServerFacts } from './schema/server-facts.ts'
import { channelOf, POOL_SIZE, readSchema } from './store.ts'

export interface InspectPostgresOptions {
  url: string
  listenUrl?: string
  schema?: string
}

/** Times in texts and timers are then visibly wrong; deadlines are not, for they are the server's own. */
const SKEW_WARNING_MS = 1000
const SKEW_PROBLEM_MS = 30_000
/** With room for this many nodes there is room for an update one by one. */
const NODES = 4

export async function inspectPostgres(options: InspectPostgresOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  try {
    const schema = readSchema(options.schema)
    const address = readPostgresAddress('url', options.url)
    const listening =
      options.listenUrl === undefined ? address : readPostgresAddress('listenUrl', options.listenUrl)
    await inspect(findings, address, listening, schema)
  } catch (error) {
    findings.push(problem('postgres', error, 'mend that, and look again'))
  }
  return findings
}

async function inspect(
  findings: Finding[],
  address: PostgresAddress,
  listening: PostgresAddress,
  schema: string,
): Promise<void> {
  const pool = await openPool(address, 1)
  pool.on('error', () => {})
  try {
    const facts = await readPostgresFacts(pool)
    findings.push({ kind: 'ok', about: 'version', detail: `Postgres ${facts.version} at ${address.name}` })
    for (const fault of findServerFaults(facts, false)) {
      const [detail = fault, advice] = fault.split('; ')
      findings.push({ kind: 'problem', about: 'server', detail, ...defined({ advice }) })
    }
    findings.push(...durability(facts), connections(facts))
    await attempt(findings, 'schema', 'name another schema, or use the version that it needs', async () =>
      aboutSchema(checkSchemaVersion(await readSchemaVersion(pool, schema), address, schema), schema),
    )
    await attempt(
      findings,
      'notifications',
      'name the server itself, and not a pooler, in listenUrl',
      async () => {
        const clock = createServerClock()
        const channel = channelOf(schema, 'default')
        const listener = await openListener({
          address: listening,
          channel,
          isOwn: () => false,
          clock,
          tell() {},
          async connected() {},
          report() {},
        })
        try {
          await listener.check(pool)
        } finally {
          await listener.close()
        }
        findings.push(aboutClock(clock.now() - Date.now()))
        return { kind: 'ok', about: 'notifications', detail: 'what one connection sends, the other hears' }
      },
    )
  } catch (error) {
    throw toStoreError(error, 'looking at the server', address, 'opening')
  } finally {
    await pool.end()
  }
}

function durability(facts: ServerFacts): Finding[] {
  const { fsync, fullPageWrites, synchronousCommit } = facts
  const detail = `fsync ${onOff(fsync)}, full_page_writes ${onOff(fullPageWrites)}, synchronous_commit ${synchronousCommit}`
  const findings: Finding[] = []
  if (!fullPageWrites) {
    findings.push({
      kind: 'warning',
      about: 'durability',
      detail,
      advice:
        'a crash in the middle of a page may damage it: set full_page_writes = on unless the file system is safe',
    })
  } else if (synchronousCommit === 'off' || synchronousCommit === 'local') {
    const advice = 'our own writes wait for the disk all the same: they set it to on'
    findings.push({ kind: 'warning', about: 'durability', detail, advice })
  } else if (fsync) findings.push({ kind: 'ok', about: 'durability', detail })
  return findings
}

function connections({ maxConnections }: ServerFacts): Finding {
  const needed = POOL_SIZE + 1
  const detail = `the server takes ${maxConnections}, and a node uses up to ${needed}`
  return maxConnections >= needed * NODES
    ? { kind: 'ok', about: 'connections', detail }
    : { kind: 'warning', about: 'connections', detail, advice: 'raise max_connections, or lower poolSize' }
}

function aboutSchema(number: number, schema: string): Finding {
  const latest = MIGRATIONS.length
  if (number === latest) return { kind: 'ok', about: 'schema', detail: `"${schema}" is at number ${number}` }
  const detail =
    number === 0
      ? `"${schema}" is not there yet; it is made when a store is opened`
      : `"${schema}" is at number ${number}; it is brought to ${latest} when a store is opened`
  return { kind: 'ok', about: 'schema', detail }
}

function aboutClock(skewMs: number): Finding {
  const size = Math.abs(skewMs)
  const detail = `the server's clock is ${size} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this machine's`
  if (size <= SKEW_WARNING_MS) return { kind: 'ok', about: 'clock', detail }
  const advice = 'set both by NTP'
  return { kind: size > SKEW_PROBLEM_MS ? 'problem' : 'warning', about: 'clock', detail, advice }
}

async function attempt(
  findings: Finding[],
  about: string,
  advice: string,
  look: () => Promise<Finding>,
): Promise<void> {
  try {
    findings.push(await look())
  } catch (error) {
    findings.push(problem(about, error, advice))
  }
}

/** The messages of our own errors hold no password. */
function problem(about: string, error: unknown, advice: string): Finding {
  const detail = isBanksmanError(error) ? error.message : 'it could not be looked at'
  return { kind: 'problem', about, detail, advice }
}

function onOff(is: boolean): string {
  return is ? 'on' : 'off'
}
