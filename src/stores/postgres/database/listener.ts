/**
 * The connection that listens. It is one of its own, directly to the server, and is made again for as long as the store
 * is open. A notification is a hint: after every new connection, and where one names too many requests to be listed,
 * whoever watches is told that any may have changed.
 *
 * It is asked for the time every few seconds: that shows whether it is alive, and keeps the store's clock.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Pool } from 'pg'
import { BanksmanError } from '../../../core/errors.ts'
import type { ServerClock } from '../../server-clock.ts'
import type { Hint } from '../../store.ts'
import type { PostgresAddress } from './address.ts'
import { destroySocket, openConnection, queryRows, quoteSqlName } from './connections.ts'
import { toStoreError } from './errors.ts'
import { jsonFromServer } from './server-text.ts'

export interface ListenerParts {
  address: PostgresAddress
  channel: string
  /** By which our own notifications are known, which tell us nothing new. */
  isOwn(origin: string | undefined): boolean
  clock: ServerClock
  tell(hint: Hint): void
  /** After every new connection, the first included. */
  connected(client: Client): Promise<void>
  report(fault: { doing: string; error: unknown }): void
  /** How often it is asked for the time, and how long it may take to answer. */
  pingMs?: number
  answerMs?: number
}

export interface PostgresListener {
  /** Sends a notification through the pool and waits for it here. */
  check(pool: Pool): Promise<void>
  close(): Promise<void>
}

const PING_MS = 5000
/** A connection that does not answer for this long is taken for dead. */
const ANSWER_MS = 5000
const CHECK_MS = 5000
const GOODBYE_MS = 500
/** Between two attempts to connect: short enough that a restart is hardly noticed, and ever longer up to the last. */
const RETRY_MS = [50, 100, 250, 500, 1000, 2000]

const TIME = 'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at'

export async function openListener(parts: ListenerParts): Promise<PostgresListener> {
  const { address, channel, isOwn, clock, tell, report, pingMs = PING_MS, answerMs = ANSWER_MS } = parts
  const ending = new AbortController()
  const checks = new Map<string, () => void>()

  async function connect(moment: 'opening' | 'open'): Promise<Client> {
    let client: Client | undefined
    try {
      client = await openConnection(address)
      client.on('error', () => {}) // Told by `lost`.
      client.on('notification', ({ payload }) => hear(payload))
      await queryRows(client, `LISTEN ${quoteSqlName(channel)}`)
      await readTime(client)
      await parts.connected(client)
      return client
    } catch (error) {
      void client?.end().catch(() => {})
      throw toStoreError(error, 'listening', address, moment)
    }
  }

  function hear(payload: string | undefined): void {
    const said = parse(payload)
    if (said?.check !== undefined) checks.get(said.check)?.()
    else if (!isOwn(said?.origin)) {
      tell({ local: false, ...(Array.isArray(said?.requests) ? { requests: said.requests } : {}) })
    }
  }

  async function readTime(client: Client): Promise<void> {
    const sentAt = performance.now()
    const timeout = new AbortController()
    const late = pause(answerMs, undefined, { signal: timeout.signal, ref: false }).then(() => {
      throw new BanksmanError('store_unavailable', `${address.name} did not answer within ${answerMs} ms`)
    })
    // What is not waited for any more must not be an unhandled rejection.
    late.catch(() => {})
    const asked = queryRows(client, TIME)
    asked.catch(() => {})
    const [row] = await Promise.race([asked, late]).finally(() => timeout.abort())
    clock.read(sentAt, performance.now(), Number(row?.at))
  }

  /** Settles when the connection is lost, or when the listener is closed. */
  async function untilLost(client: Client): Promise<unknown> {
    const ended = new Promise<unknown>((resolve) => {
      client.once('error', resolve)
      client.once('end', () => resolve(new Error('the server ended the connection')))
    })
    for (;;) {
      const lost = await Promise.race([ended, waited(pingMs)])
      if (ending.signal.aborted || lost !== undefined) return lost
      try {
        await readTime(client)
      } catch (error) {
        return error
      }
    }
  }

  async function waited(ms: number): Promise<undefined> {
    // Ended early by `close`.
    await pause(ms, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    return undefined
  }

  async function reconnect(): Promise<Client | undefined> {
    for (let attempt = 0; !ending.signal.aborted; attempt++) {
      const longest = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]!
      await waited(longest * (0.5 + Math.random() / 2))
      if (ending.signal.aborted) return undefined
      try {
        return await connect('open')
      } catch (error) {
        // Once an outage is enough.
        if (attempt === 0) report({ doing: 'listening again for changes of other nodes', error })
      }
    }
    return undefined
  }

  async function keepListening(first: Client): Promise<void> {
    let client: Client | undefined = first
    while (client !== undefined) {
      const error = await untilLost(client)
      await discard(client)
      if (ending.signal.aborted) return
      report({
        doing: 'listening for changes of other nodes',
        error: toStoreError(error, 'listening', address),
      })
      client = await reconnect()
      // What happened in between was told to nobody.
      if (client !== undefined && !ending.signal.aborted) tell({ local: false })
    }
  }

  const kept = keepListening(await connect('opening'))

  return {
    async check(pool) {
      const nonce = randomUUID()
      const heard = new Promise<boolean>((resolve) => {
        checks.set(nonce, () => resolve(true))
      })
      try {
        await queryRows(pool, 'SELECT pg_notify($1, $2)', [channel, JSON.stringify({ check: nonce })])
        const late = pause(CHECK_MS, false, { signal: ending.signal }).catch(() => false)
        if (!(await Promise.race([heard, late]))) throw unheard(address)
      } finally {
        checks.delete(nonce)
      }
    },
    async close() {
      ending.abort()
      await kept
    },
  }
}

/** Politely where somebody is there to hear it, and in any case. */
async function discard(client: Client): Promise<void> {
  const ended = client.end().catch(() => {})
  await Promise.race([ended, pause(GOODBYE_MS, undefined, { ref: false })])
  destroySocket(client)
}

function unheard(address: PostgresAddress): BanksmanError {
  return new BanksmanError(
    'invalid_configuration',
    `a notification that was sent to the database did not arrive on the connection that listens (${address.name}). A pooler that gives every transaction another connection (pgbouncer with pool_mode=transaction) can't carry LISTEN: name the server itself in listenUrl, and the same database as in url`,
  )
}

function parse(
  payload: string | undefined,
): { origin?: string; check?: string; requests?: string[] } | undefined {
  try {
    const said = jsonFromServer(payload ?? '')
    return typeof said === 'object' && said !== null ? said : undefined
  } catch {
    // Not one of ours; whoever watches looks, and finds nothing.
    return undefined
  }
}
