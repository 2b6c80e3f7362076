/**
 * The server that owns the port. Shutting down is orderly: no new connections, streams and sockets are told to come
 * back, waiting calls are answered with what is so now, and what is under way may finish for a bounded time.
 */
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server'
import type { Hono } from 'hono'
import { BanksmanError } from '../../core/errors.ts'
import type { HttpEnv } from './http-context.ts'
import { stopReadingAfterAnswers } from './stop-reading.ts'
import { createUpgrades, offersWebSocket, refuseOtherUpgrades } from './websocket-upgrades.ts'

export interface ListenAddress {
  host: string
  /** 0 takes any free one. */
  port: number
}

export type ListenOptions = (ListenAddress | { path: string }) & {
  /** How long `close` waits for what is under way. */
  graceMs?: number
  /** Only a proxy comes in here: everybody is remote. */
  isProxy?: boolean
  /** Only the user that the server runs as can come in here. */
  isOwnSocket?: boolean
}

export interface HttpServer {
  address: { host: string; port: number; url: string }
  close(): Promise<void>
}

/** It has its port, and answers nobody before `serve`: requests that come earlier wait. */
export interface BoundHttpServer extends HttpServer {
  serve(app: Hono<HttpEnv>): HttpServer
}

/** Longer than any decision takes to be written down, shorter than a supervisor waits before it kills. */
const GRACE_MS = 5000
/** A request must have come in whole by then. It says nothing about how long its answer may take. */
const RECEIVE_WITHIN_MS = 60_000

export async function startHttpServer(app: Hono<HttpEnv>, options: ListenOptions): Promise<HttpServer> {
  return (await bindHttpServer(options)).serve(app)
}

/** The port is known before the app is made, which must know by which names it is called. */
export async function bindHttpServer(options: ListenOptions): Promise<BoundHttpServer> {
  const { graceMs = GRACE_MS, isProxy = false, isOwnSocket = false } = options
  const place = 'path' in options ? { host: options.path, port: 0 } : options
  const { host, port } = place
  const closing = new AbortController()
  const sockets = createUpgrades()
  const serving = Promise.withResolvers<Hono<HttpEnv>>()
  let isServing = false
  const server = createAdaptorServer({
    fetch: async (request, bindings) => {
      const app = await serving.promise
      // Added to the same object: the upgrade to a WebSocket is looked up on it afterwards.
      return app.fetch(request, Object.assign(bindings, { closing: closing.signal, isProxy, isOwnSocket }))
    },
    websocket: { server: sockets },
    // It would read up to 64 MB after the answer; see `stop-reading.ts`.
    autoCleanupIncoming: false,
    // Whoever offers HTTP/2 besides, as Java's client does, is answered as if it didn't.
    serverOptions: { requestTimeout: RECEIVE_WITHIN_MS, shouldUpgradeCallback: offersWebSocket },
  }) as Server
  refuseOtherUpgrades(server)
  stopReadingAfterAnswers(server)
  const connections = followConnections(server, sockets)

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port)))
    if ('path' in options) server.listen(options.path, resolve)
    else server.listen(port, host, resolve)
  })
  const bound = 'path' in options ? 0 : (server.address() as AddressInfo).port

  let closed: Promise<void> | undefined
  const started: HttpServer = {
    address: { host, port: bound, url: 'path' in options ? `unix:${host}` : urlOf(host, bound) },
    close() {
      closed ??= new Promise<void>((resolve) => {
        // Before there is an app, nobody will answer whoever waits.
        const destroy = setTimeout(connections.destroyAll, isServing ? graceMs : 0)
        server.close(() => {
          clearTimeout(destroy)
          resolve()
        })
        connections.endWhenQuiet()
        closing.abort()
      })
      return closed
    },
  }
  return {
    ...started,
    serve(app) {
      isServing = true
      serving.resolve(app)
      return started
    },
  }
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Which connections have something under way. Node knows too, but counts those as busy on which nothing was ever
 * asked, and browsers open such ones in advance.
 */
function followConnections(
  server: Server,
  sockets: WebSocketServerLike,
): { endWhenQuiet(): void; destroyAll(): void } {
  const underWay = new Map<Socket, number>()
  let ending = false

  function add(socket: Socket, count: number): void {
    const left = (underWay.get(socket) ?? 0) + count
    underWay.set(socket, left)
    if (ending && left === 0) socket.destroySoon()
  }

  server.on('connection', (socket) => {
    underWay.set(socket, 0)
    socket.once('close', () => underWay.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    add(socket, 1)
    response.once('close', () => {
      if (underWay.has(socket)) add(socket, -1)
    })
  })
  // A WebSocket ends by its own farewell.
  sockets.on('connection', (_, { socket }) => add(socket, 1))
  return {
    endWhenQuiet() {
      ending = true
      for (const [socket, count] of underWay) if (count === 0) socket.destroySoon()
    },
    destroyAll() {
      for (const socket of underWay.keys()) socket.destroy()
    },
  }
}

/** Throws what the server would throw if it can't have the address, and takes nothing. */
export function tryAddress({ host, port }: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const trial = createServer()
    trial.once('error', (error) => reject(listenFault(error, host, port)))
    trial.listen(port, host, () => trial.close(() => resolve()))
  })
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number): BanksmanError {
  const other = 'choose another with BANKSMAN_PORT or --port'
  if (error.code === 'EADDRINUSE') {
    return new BanksmanError(
      'address_in_use',
      `port ${port} on ${host} is in use, perhaps by another Banksman; ${other}`,
      { host, port },
      { cause: error },
    )
  }
  const why = error.code === 'EACCES' ? 'this user may not' : error.message
  return new BanksmanError(
    'invalid_configuration',
    `can't listen on port ${port} of ${host} (${why}); ${other}`,
    { host, port },
    { cause: error },
  )
}
