/**
 * One connection to Redis, from its beginning to its end. It never comes back by itself: whoever holds it makes a new one
 * and looks at the server again, so that no command goes to a server that was not looked at.
 */
import { BanksmanError } from '../../../core/errors.ts'
import { refuseUnencoded } from '../../refuse-unencoded.ts'

export type RedisReply = string | number | null | RedisReply[]

export interface RedisLink {
  /** A reply that does not come within the time ends the link, and with it all that is under way. */
  send(parameters: readonly string[]): Promise<RedisReply>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  /** Resolves when the link has ended, with the reason. */
  readonly ended: Promise<Error>
  isOpen(): boolean
  end(reason: Error): void
}

/** Past this a server is as good as gone; one that syncs every command to a poor disk still answers within it. */
const REPLY_WITHIN_MS = 10_000
const CONNECT_WITHIN_MS = 5000

export async function openRedisLink(url: string): Promise<RedisLink> {
  refuseUnencoded('the address of Redis', url)
  const client = makeClient(await clientFactory(), url)
  let open = true
  let settle: (reason: Error) => void = () => {}
  const ended = new Promise<Error>((resolve) => {
    settle = resolve
  })

  function end(reason: Error): void {
    if (!open) return
    open = false
    client.destroy()
    settle(reason)
  }

  // Told to all that is under way by the client itself; here it only ends the link.
  client.on('error', (error: Error) => end(error))
  client.on('end', () => end(new Error('the connection was closed')))

  async function within<T>(work: Promise<T>): Promise<T> {
    const timer = setTimeout(
      () => end(new Error(`Redis did not answer within ${REPLY_WITHIN_MS} ms`)),
      REPLY_WITHIN_MS,
    )
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  // A server that does not speak TLS waits for the rest of what it takes for a command.
  const withTls = /^rediss:/i.test(url) ? ' with TLS' : ''
  const timer = setTimeout(
    () => end(new Error(`Redis did not take the connection${withTls} within ${CONNECT_WITHIN_MS} ms`)),
    CONNECT_WITHIN_MS,
  )
  try {
    const failed = ended.then((reason) => {
      throw reason
    })
    failed.catch(() => {})
    await Promise.race([client.connect(), failed])
  } catch (error) {
    end(error instanceof Error ? error : new Error(String(error)))
    // The first reason: what the client says of it afterwards is that we have ended it.
    throw await ended
  } finally {
    clearTimeout(timer)
  }

  return {
    send: (parameters) => within(client.sendCommand<RedisReply>(parameters)),
    subscribe: (channel, listener) => within(client.subscribe(channel, listener)),
    ended,
    isOpen: () => open,
    end,
  }
}

function makeClient(create: CreateClient, url: string) {
  try {
    // Without an address the client would take the one on this machine, whoever's that is.
    if (!/^rediss?:\/\/[^/]/i.test(url)) throw new Error('it names no server')
    return create({
      ...PROTOCOL,
      url,
      socket: { reconnectStrategy: false, connectTimeout: CONNECT_WITHIN_MS },
      disableOfflineQueue: true,
      disableClientInfo: true,
      maintNotifications: 'disabled',
    })
  } catch {
    // What the client says of it would quote the whole URL, and what can't be read may hold a password anywhere.
    throw new BanksmanError(
      'invalid_configuration',
      'this is not the URL of a Redis; it looks like redis://user:password@host:6379/0, or rediss:// for TLS',
    )
  }
}

/** Part of what a client is made with, and of each client's options: the types know it only of the former. */
const PROTOCOL = { RESP: 2 } as const

type CreateClient = ReturnType<typeof createFactory>

let factory: CreateClient | undefined

/** One for all links: the library writes out all its commands for each, which takes longer than to connect. */
async function clientFactory(): Promise<CreateClient> {
  factory ??= createFactory(await loadClient())
  return factory
}

function createFactory({ RedisClient }: typeof import('@redis/client')) {
  return RedisClient.factory(PROTOCOL)
}

async function loadClient(): Promise<typeof import('@redis/client')> {
  try {
    return await import('@redis/client')
  } catch (error) {
    throw new BanksmanError(
      'invalid_configuration',
      'the Redis store needs the package @redis/client: npm install @redis/client',
      {},
      { cause: error },
    )
  }
}
