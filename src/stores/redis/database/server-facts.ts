/** What the server says of itself, and whether it can be trusted with what must not be lost. */
import { BanksmanError } from '../../../core/errors.ts'
import { type Finding, findingsAbout } from '../../../core/support/finding.ts'
import { MAY_LOSE } from './errors.ts'
import type { RedisLink, RedisReply } from './link.ts'

export interface ServerFacts {
  version: string
  role: string
  replid: string
  /** It was a replica once, and was made the primary: it has what it had received by then. */
  wasPromoted: boolean
  /** With the replication id: another one means another server, or this one started anew. */
  identity: string
  /** Undefined where CONFIG may not be read. */
  config: ServerConfig | undefined
  evicts: boolean
  policy: string
  usedMemory: number
  maxMemory: number
}

interface ServerConfig {
  appendOnly: string
  appendFsync: string
  /** With `yes` nothing is synced while the log is rewritten, whatever appendfsync says. */
  noSyncOnRewrite: string
}

/** Scripts that Redis refuses as a whole, before they begin, came with it. */
const OLDEST = 7

export async function readServerFacts(link: RedisLink): Promise<ServerFacts> {
  const info = parseInfo(String(await link.send(['INFO'])))
  const config = await readConfig(link)
  const replid = info.get('master_replid') ?? ''
  const policy = info.get('maxmemory_policy') ?? 'unknown'
  const maxMemory = Number(info.get('maxmemory') ?? Number.NaN)
  return {
    version: info.get('redis_version') ?? 'unknown',
    role: info.get('role') ?? 'unknown',
    replid,
    // Where it was not, the second id is nothing but zeros.
    wasPromoted: /[1-9a-f]/.test(info.get('master_replid2') ?? ''),
    identity: `${replid}/${info.get('run_id') ?? ''}`,
    config,
    policy,
    maxMemory,
    // Where it is not told it is not known, and that is not good enough.
    evicts: maxMemory !== 0 && policy !== 'noeviction',
    usedMemory: Number(info.get('used_memory') ?? 0),
  }
}

/** The part that can change while a connection stays: a primary that was made a replica, and perhaps back again. */
export async function readReplication(link: RedisLink): Promise<{ role: string; replid: string }> {
  const info = parseInfo(String(await link.send(['INFO', 'replication'])))
  return { role: info.get('role') ?? 'unknown', replid: info.get('master_replid') ?? '' }
}

async function readConfig(link: RedisLink): Promise<ServerConfig | undefined> {
  try {
    const reply = await link.send(['CONFIG', 'GET', 'appendonly', 'appendfsync', 'no-appendfsync-on-rewrite'])
    const values = toFieldMap(reply)
    const [appendOnly, appendFsync, noSyncOnRewrite] = [
      values.get('appendonly'),
      values.get('appendfsync'),
      values.get('no-appendfsync-on-rewrite'),
    ]
    if (appendOnly === undefined || appendFsync === undefined || noSyncOnRewrite === undefined)
      return undefined
    return { appendOnly, appendFsync, noSyncOnRewrite }
  } catch (error) {
    // Only a server that answered has refused it; a connection that broke is told by whoever asks next.
    if (!link.isOpen()) throw error
    return undefined
  }
}

/** In the order in which they matter; without a problem the store may be used. */
export function judgeServer(facts: ServerFacts, mayLose: boolean): Finding[] {
  return [judgeVersion(facts), judgeRole(facts), judgeDurability(facts, mayLose), judgeEviction(facts)]
}

/** A server that was only started anew then has all that it acknowledged. */
export function losesNothing(facts: ServerFacts): boolean {
  return judgeDurability(facts, false).kind === 'ok' && !facts.wasPromoted
}

/** Throws where the store must not be used on this server. */
export function refuseServer(facts: ServerFacts, mayLose: boolean): void {
  for (const { kind, detail, advice } of judgeServer(facts, mayLose)) {
    if (kind === 'problem') throw new BanksmanError('invalid_configuration', `${detail}. ${advice}`)
  }
}

function judgeVersion({ version }: ServerFacts): Finding {
  const { ok, problem } = findingsAbout('version')
  if (Number(version.split('.')[0]) >= OLDEST) return ok(`Redis ${version}`)
  return problem(`this is Redis ${version}, and the store needs ${OLDEST}.0 or later`, 'Install a later one')
}

function judgeRole({ role }: ServerFacts): Finding {
  const { ok, problem } = findingsAbout('role')
  if (role === 'master') return ok('the server is a primary')
  return problem(
    `the server is a replica (its role is ${role}): what is read there may be old, and nothing can be written`,
    'Name the primary in the URL',
  )
}

function judgeDurability({ config }: ServerFacts, mayLose: boolean): Finding {
  const { ok, warning, problem } = findingsAbout('durability')
  const lossy = (detail: string) =>
    mayLose ? warning(detail, KEEP) : problem(detail, `${KEEP}, or accept the loss with ${MAY_LOSE}`)
  if (config === undefined) {
    return lossy(
      "it can't be read whether Redis keeps what it acknowledges (CONFIG GET is not permitted): a crash could lose decisions that were already acted on, and requests that people were asked about",
    )
  }
  if (config.appendOnly !== 'yes') {
    return lossy(
      `Redis keeps no log of its commands (appendonly ${config.appendOnly}): a crash loses everything since the last snapshot, if there is one`,
    )
  }
  if (config.appendFsync !== 'always') {
    return lossy(
      `Redis acknowledges before the disk has it (appendfsync ${config.appendFsync}): a crash of the machine loses about the last second (everysec) or more (no), decisions that were already acted on among it`,
    )
  }
  if (config.noSyncOnRewrite !== 'no') {
    return lossy(
      'Redis does not sync its log while it rewrites it (no-appendfsync-on-rewrite yes): a crash in that time can lose what was acknowledged',
    )
  }
  return ok('every command is on disk before it is acknowledged')
}

const KEEP =
  'Set `appendonly yes`, `appendfsync always` and `no-appendfsync-on-rewrite no` on the server (CONFIG SET and CONFIG REWRITE, or redis.conf)'

function judgeEviction({ evicts, policy, maxMemory, usedMemory }: ServerFacts): Finding {
  const { ok, problem } = findingsAbout('memory')
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MB`
  if (!evicts) {
    const bound = maxMemory > 0 ? ` of ${megabytes(maxMemory)}, and nothing is evicted` : ', without a bound'
    return ok(`${megabytes(usedMemory)} used${bound}`)
  }
  return problem(
    `Redis evicts keys when its memory is full (maxmemory-policy ${policy}): it could throw away a request that somebody waits for`,
    'Set `maxmemory-policy noeviction`, or use a Redis of its own',
  )
}

function parseInfo(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0 && !line.startsWith('#')) found.set(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return found
}

/** Field and value, one after the other, as Redis gives a hash. */
export function toFieldMap(reply: RedisReply | undefined): Map<string, string> {
  const found = new Map<string, string>()
  if (!Array.isArray(reply)) return found
  for (let index = 0; index + 1 < reply.length; index += 2) {
    found.set(String(reply[index]), String(reply[index + 1]))
  }
  return found
}
