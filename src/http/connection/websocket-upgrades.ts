/**
 * Takes connections over from HTTP as WebSockets. The route that a connection is for says how long a frame may be and
 * which subprotocol it speaks; a frame that announces more is refused by its header, before any of it is kept.
 */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { upgradeWebSocket, type WebSocketServerLike } from '@hono/node-server'
import { type WebSocket, WebSocketServer } from 'ws'
import { BanksmanError } from '../../core/errors.ts'
import type { HttpContext } from './http-context.ts'

export interface UpgradeTerms {
  maxFrameBytes: number
  /** One of those that the client offered. */
  protocol: string | undefined
}

/** What is done with the frames of one socket. */
export interface SocketListener {
  /** A frame has come; undefined for a binary one. */
  hear(text: string | undefined): void
  end(): void
}

type Open = (socket: WebSocket) => SocketListener

/** What was agreed for a connection, until it is upgraded. */
const agreed = new WeakMap<IncomingMessage, UpgradeTerms & { open: Open }>()

/** To be answered with by the route. `open` is called when the socket is there, and before any of its frames. */
export async function upgrade(c: HttpContext, terms: UpgradeTerms, open: Open): Promise<Response> {
  if (c.env?.incoming !== undefined) agreed.set(c.env.incoming, { ...terms, open })
  return upgradeWebSocket(c, {})
}

/** The route is for WebSockets alone. */
export function checkUpgrade(c: HttpContext, instead: string): void {
  if (c.req.header('upgrade')?.toLowerCase() === 'websocket') return
  throw new BanksmanError('invalid', `${c.req.path} is a WebSocket; ${instead}`)
}

/** The subprotocols that the client offers, in its order. */
export function offeredProtocols(c: HttpContext): string[] {
  const header = c.req.header('sec-websocket-protocol') ?? ''
  return header
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** What the server hands connections to: a `WebSocketServer` for each limit, since each has one. */
export function createUpgrades(): WebSocketServerLike {
  const byLimit = new Map<number, WebSocketServer>()

  function serverFor(maxFrameBytes: number): WebSocketServer {
    const known = byLimit.get(maxFrameBytes)
    if (known !== undefined) return known
    const made = new WebSocketServer({
      noServer: true,
      maxPayload: maxFrameBytes,
      clientTracking: false,
      handleProtocols: (_, request) => agreed.get(request)?.protocol ?? false,
    })
    byLimit.set(maxFrameBytes, made)
    return made
  }

  const upgrades = Object.assign(new EventEmitter(), {
    options: { noServer: true },
    handleUpgrade(...[request, socket, head, callback]: Parameters<WebSocketServerLike['handleUpgrade']>) {
      const terms = agreed.get(request)
      if (terms === undefined) return void socket.destroy()
      const server = serverFor(terms.maxFrameBytes)
      const tellHeaders = (headers: string[]) => upgrades.emit('headers', headers)
      server.on('headers', tellHeaders)
      try {
        server.handleUpgrade(request, socket, head, (opened: WebSocket) => {
          listen(opened, terms.open)
          // The adapter would make an event of every frame besides. It is given something that never says anything.
          callback(new EventEmitter() as unknown as Parameters<typeof callback>[0])
        })
      } finally {
        server.off('headers', tellHeaders)
      }
    },
    close() {
      for (const server of byLimit.values()) server.close()
    },
  })
  return upgrades as unknown as WebSocketServerLike
}

export function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}

/**
 * Before 24.9 Node hands every upgrade over, and the adapter leaves all but WebSockets alone: such a connection would stay
 * open without an answer. Put in front of the adapter's listener, since it doesn't answer where there is a second one.
 */
export function refuseOtherUpgrades(server: Server): void {
  const listeners = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!offersWebSocket(request)) return void socket.destroy()
    for (const listener of listeners) listener.call(server, request, socket, head)
  })
}

function listen(socket: WebSocket, open: Open): void {
  const { hear, end } = open(socket)
  socket.on('message', (data, isBinary) => hear(isBinary ? undefined : String(data)))
  socket.on('close', end)
  socket.on('error', end)
}
