/** Looks at a Redis for `banksman doctor`: whether the store may be used on it, and what could be better. */
import { randomUUID } from 'node:crypto'
import { type Finding, findingsAbout } from '../../core/support/finding.ts'
import { openClusterLink } from './database/cluster-link.ts'
import { createRedact, shownUrl, toStoreError } from './database/errors.ts'
import { openRedisLink, type RedisLink, type RedisReply } from './database/link.ts'
import { judgeServer, readServerFacts } from './database/server-facts.ts'
import { createKeys } from './scripts/pieces/keys.ts'

export interface RedisInspection {
  url: string
  prefix?: string
  mayLose?: boolean
}

/** Deadlines are the server's; what people are shown counts from there, so a second is nothing and half a minute is much. */
const SKEW_TO_WARN_MS = 1000
const SKEW_TOO_FAR_MS = 30_000
const HEARD_WITHIN_MS = 3000

export async function inspectRedis(options: RedisInspection): Promise<Finding[]> {
  const { url, prefix = 'banksman', mayLose = false } = options
  const redact = createRedact(url)
  const { ok, problem } = findingsAbout('connection')
  const links: RedisLink[] = []
  try {
    const key = createKeys(prefix, 'default')
    const home = await openClusterLink({ url, key: key('meta') })
    const { link } = home
    links.push(link)
    const facts = await readServerFacts(link)
    const listener = await openRedisLink(home.url)
    links.push(listener)
    const way = home.url === url ? '' : `, the node of the cluster that ${shownUrl(url)} led to`
    return [
      ok(`connected to ${shownUrl(home.url)}${way}`),
      ...judgeServer(facts, mayLose),
      await judgeClock(link),
      await judgeMessages(link, listener, `${key('wake')}:${randomUUID()}`),
    ]
  } catch (error) {
    const { message } = toStoreError(error, `looking at Redis at ${shownUrl(url)}`, redact, 'opening')
    return [problem(message, 'Check the URL, and that the server runs and takes connections from here')]
  } finally {
    for (const link of links) link.end(new Error('it was looked at'))
  }
}

async function judgeClock(link: RedisLink): Promise<Finding> {
  const asked = Date.now()
  const [seconds, microseconds] = (await link.send(['TIME'])) as RedisReply[]
  const own = (asked + Date.now()) / 2
  const skew = Math.round(Number(seconds) * 1000 + Number(microseconds) / 1000 - own)
  const { ok, warning, problem } = findingsAbout('clock')
  if (Math.abs(skew) <= SKEW_TO_WARN_MS) {
    return ok(`the server's clock and this machine's differ by ${Math.abs(skew)} ms`)
  }
  const found = Math.abs(skew) > SKEW_TOO_FAR_MS ? problem : warning
  return found(
    `the server's clock is ${Math.abs(skew)} ms ${skew > 0 ? 'ahead of' : 'behind'} this machine's`,
    'Let both keep time by NTP',
  )
}

async function judgeMessages(link: RedisLink, listener: RedisLink, channel: string): Promise<Finding> {
  const { ok, problem } = findingsAbout('messages')
  const { promise: heard, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), HEARD_WITHIN_MS)
  try {
    await listener.subscribe(channel, () => resolve(true))
    await link.send(['PUBLISH', channel, 'hello'])
    if (await heard) return ok('a message that was published was heard')
  } catch (error) {
    if (!link.isOpen() || !listener.isOpen()) throw error
  } finally {
    clearTimeout(timer)
  }
  return problem(
    'messages are not heard (SUBSCRIBE and PUBLISH): nodes would not hear of what others changed',
    'Permit them to this user, on the channels that begin with the prefix in braces',
  )
}
