/**
 * The connection to Redis as the verbs see it: scripts that run by their hash, what follows a commit, and the end.
 *
 * Before a connection is used for anything, the server is looked at: whether it is a primary that keeps what it
 * acknowledges, and whether it is the one that was there before. A command whose reply is lost is not sent again.
 */
import { randomUUID } from 'node:crypto'
import { BanksmanError, isBanksmanError } from '../../../core/errors.ts'
import type { EntryDraft } from '../../../journal/entry.ts'
import { createServerClock } from '../../server-clock.ts'
import type { Hint } from '../../store.ts'
import { ALL_SCRIPTS } from '../scripts/all-scripts.ts'
import { BEGIN } from '../scripts/begin.ts'
import { createKeys, type KeyBuilder } from '../scripts/pieces/keys.ts'
import { type LuaScript, SCHEMA } from '../scripts/pieces/script.ts'
import { asksForNewConnection, createRedact, isUnknownScript, shownUrl, toStoreError } from './errors.ts'
import { createHints } from './hints.ts'
import type { RedisLink, RedisReply } from './link.ts'
import { openReconnectingLink, type ReconnectingLink } from './reconnecting-link.ts'
import {
  losesNothing,
  readReplication,
  readServerFacts,
  refuseServer,
  type ServerFacts,
} from './server-facts.ts'
import { subscribeToWakeUps, wakeMessage } from './wake-ups.ts'

export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  url: string
  /** All keys begin with it. */
  prefix?: string
  namespace?: string
  /** Accepts a server that may lose what it has acknowledged. */
  mayLose?: boolean
  /** For tests: the time that stands in for the server's. */
  now?: () => number
  /** Told of faults that nobody waits for. */
  report?: (fault: { doing: string; error: unknown }) => void
}

export interface Database {
  readonly key: KeyBuilder
  now(): number
  /** A verb: counted until it has ended, refused when the store is closed, and failing only with errors of ours. */
  verb<T>(doing: string, work: () => Promise<T>): Promise<T>
  /** Inside a verb, as are those below: one command that reads. */
  command(...parameters: string[]): Promise<RedisReply>
  read(script: LuaScript, parameters: readonly string[]): Promise<RedisReply[]>
  /** Tells the entries their numbers and the listeners of the change, once the reply says that there was one. */
  write(writing: ScriptWrite): Promise<ScriptResult>
  watch(listener: (hint: Hint) => void): () => void
  close(): Promise<void>
}

export interface ScriptWrite {
  script: LuaScript
  parameters: readonly string[]
  /** In the order in which the script numbers them. */
  entries?: readonly EntryDraft[]
  /** The requests that it changes, each with an entry about it; absent: none. `any` where there are no such entries. */
  requests?: readonly string[] | 'any'
}

export interface ScriptResult {
  changed: boolean
  /** What the script says beside that. */
  told: RedisReply[]
}

/** Within this it is found out that the server has changed while nobody wrote. */
const LOOK_EVERY_MS = 5000

export async function openDatabase(options: RedisStoreOptions): Promise<Database> {
  const { url, prefix = 'banksman', namespace = 'default', mayLose = false, report = () => {} } = options
  const key = createKeys(prefix, namespace)
  const redact = createRedact(url)
  const clock = createServerClock()
  const hints = createHints(report)
  /**
   * Another one with each link: what was under way on the last may be carried out when it is gone, and nobody here knows of
   * it then, so that it is heard as another node's.
   */
  let origin = randomUUID()
  const underway = new Set<Promise<unknown>>()
  let closed = false
  let before: { epoch: string; server: string; at: string } | undefined
  let wakeUps: Awaited<ReturnType<typeof subscribeToWakeUps>> | undefined

  async function prepare(link: RedisLink, at: string): Promise<void> {
    origin = randomUUID()
    const facts = await readServerFacts(link)
    refuseServer(facts, mayLose)
    await learnTime(link)
    await Promise.all(ALL_SCRIPTS.map(({ text }) => link.send(['SCRIPT', 'LOAD', text])))
    const place = ['1', key('meta'), String(SCHEMA), facts.identity]
    const asWhat = mayLose ? '' : facts.wasPromoted ? 'promoted' : 'strict'
    const begun = await link.send(['EVALSHA', BEGIN.sha, ...place, asWhat])
    const [epoch, server] = (begun as RedisReply[]).map(String)
    note(epoch!, server!, facts, at)
    lookAgain(link, facts.replid, epoch!)
  }

  /** Every store object finds out by itself, also when another has noted the change in the namespace first. */
  function note(epoch: string, noted: string, facts: ServerFacts, at: string): void {
    const server = facts.identity
    const last = before?.server ?? noted
    const isAnother =
      before === undefined ? noted !== '' && noted !== server : before.epoch !== epoch || last !== server
    const cameFrom = before?.at ?? at
    before = { epoch, server, at }
    if (!isAnother) return
    const replaced = { from: last, to: server }
    // What the namespace says of its last server is what was last seen there, or another node has noted the change first.
    const isOurs = noted !== '' && last !== server && (noted === last || noted === server)
    const change = `(from ${replaced.from} to ${replaced.to})`
    report({
      doing: 'looking at the server of Redis',
      error: new BanksmanError(
        'store_unavailable',
        cameFrom !== at
          ? `the namespace is at another node of the Redis cluster, ${shownUrl(at)} instead of ${shownUrl(cameFrom)} ${change}. If its slot was moved it has all; if that node had taken over for another it may lack what was acknowledged`
          : isOurs && losesNothing(facts)
            ? `Redis was started anew ${change}. It has every command on disk before it acknowledges it, so it has kept what it acknowledged: there is nothing to do, unless the address leads to another server since`
            : `Redis was started anew, or is another server than before ${change}: it may lack what was acknowledged`,
      ),
    })
    hints.noteReplaced(replaced)
  }

  /** A server may become a replica or another's copy, or be emptied, without closing our connection. */
  function lookAgain(link: RedisLink, replid: string, epoch: string): void {
    async function look(): Promise<void> {
      const [found, noted] = await Promise.all([
        readReplication(link),
        link.send(['HGET', key('meta'), 'epoch']),
        learnTime(link),
      ])
      const isSame = found.role === 'master' && found.replid === replid && noted === epoch
      if (!isSame) link.end(new Error('the server has changed'))
      hearWhereItIs()
    }
    // A link that breaks meanwhile ends by itself.
    const timer = setInterval(() => void look().catch((error) => leave(link, error)), LOOK_EVERY_MS)
    void link.ended.then(() => clearInterval(timer))
  }

  /** What is published is heard for certain only at the node where the namespace is. */
  function hearWhereItIs(): void {
    if (wakeUps !== undefined && wakeUps.home() !== kept.home()) wakeUps.lookAgain()
  }

  function leave(link: RedisLink, error: unknown): void {
    if (asksForNewConnection(error)) link.end(error as Error)
  }

  async function learnTime(link: RedisLink): Promise<void> {
    const askedAt = performance.now()
    const reply = (await link.send(['TIME'])) as RedisReply[]
    clock.read(askedAt, performance.now(), Number(reply[0]) * 1000 + Number(reply[1]) / 1000)
  }

  async function run(script: LuaScript, parameters: readonly string[]): Promise<RedisReply[]> {
    const link = kept.link()
    const rest = ['1', key('meta'), ...parameters]
    try {
      return (await link.send(['EVALSHA', script.sha, ...rest])) as RedisReply[]
    } catch (error) {
      // Nothing ran: somebody has made the server forget its scripts.
      if (isUnknownScript(error) && link.isOpen()) {
        return (await link.send(['EVAL', script.text, ...rest])) as RedisReply[]
      }
      leave(link, error)
      throw error
    }
  }

  async function command(parameters: readonly string[]): Promise<RedisReply> {
    const link = kept.link()
    try {
      return await link.send(parameters)
    } catch (error) {
      leave(link, error)
      throw error
    }
  }

  const time = () => (options.now === undefined ? '' : String(options.now()))
  const reopened = () => {
    hearWhereItIs()
    hints.tell({ local: false })
  }
  const opening = `opening the store on Redis at ${shownUrl(url)}`
  const keeping = 'keeping the connection to Redis'
  const kept: ReconnectingLink = await openReconnectingLink({
    url,
    key: key('meta'),
    redact,
    opening,
    keeping,
    prepare,
    reopened,
    report,
  })
  wakeUps = await subscribeToWakeUps({
    url,
    key: key('meta'),
    redact,
    channel: key('wake'),
    isOwn: (one) => one === origin,
    hints,
    report,
  }).catch((error) => {
    kept.close()
    throw error
  })

  return {
    key,
    now: options.now ?? clock.now,
    async verb(what, work) {
      refuseClosed()
      // A function of its own, so that what it throws at once is a failure like any other.
      const working = (async () => work())()
      underway.add(working)
      try {
        return await working
      } catch (error) {
        throw asVerbError(toStoreError(error, what, redact))
      } finally {
        underway.delete(working)
      }
    },
    command: (...parameters) => command(parameters),
    read: (script, parameters) => run(script, [time(), ...parameters]),
    async write({ script, parameters, entries = [], requests = [] }) {
      const named = requests === 'any' ? {} : { requests }
      const envelope = [time(), String(SCHEMA), wakeMessage(origin, named.requests)]
      const [changed, numbers, ...told] = await run(script, [...envelope, ...parameters])
      if (changed === 1) {
        const given = numbers as number[]
        for (const [index, n] of given.entries()) entries[index]?.committed(n)
        hints.tell({ local: true, ...named })
      }
      return { changed: changed === 1, told }
    },
    watch(listener) {
      refuseClosed()
      return hints.watch(listener)
    },
    async close() {
      closed = true
      while (underway.size > 0) await Promise.allSettled(underway)
      hints.clear()
      wakeUps?.close()
      kept.close()
    },
  }

  function refuseClosed(): void {
    if (closed) throw new BanksmanError('closed', 'the Redis store is closed')
  }
}

/** What is wrong with the configuration once the store is open is, to whoever uses it, that the store is not there. */
function asVerbError(error: BanksmanError): BanksmanError {
  return isBanksmanError(error, 'invalid_configuration')
    ? new BanksmanError('store_unavailable', error.message)
    : error
}
