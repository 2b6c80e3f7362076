/** A channel's socket, as routes: one for each of its paths. The channel hears frames and says frames; the rest is the line's. */
import type { WebSocket } from 'ws'
import type { DoorCaller, SocketClient, SocketDoor, SocketHandshake } from '../../people/door.ts'
import { type Caller, localeOf } from '../access/authentication.ts'
import { isRemote } from '../access/is-remote.ts'
import { openWebSocketConnection, type WebSocketConnection } from '../connection/websocket-connection.ts'
import {
  checkUpgrade,
  offeredProtocols,
  type SocketListener,
  upgrade,
} from '../connection/websocket-upgrades.ts'
import type { HttpContext, LiveConnectionParts } from '../http-parts.ts'
import type { Route } from '../routes/route.ts'

export function socketDoorRoutes(door: SocketDoor, live: LiveConnectionParts): Route[] {
  return door.paths.map((path) => ({
    method: 'GET',
    path,
    summary: door.summary,
    // The credential comes over the socket: a browser can't send headers with one.
    access: 'public',
    answers: [{ status: 101, description: 'Switching to WebSocket.' }],
    async run(c) {
      checkUpgrade(c, 'it can’t be used over plain HTTP')
      const protocols = offeredProtocols(c)
      const chosen = door.chooseProtocol?.(protocols)
      const protocol = chosen !== undefined && protocols.includes(chosen) ? chosen : undefined
      const terms = { maxFrameBytes: door.maxFrameBytes, protocol }
      // Read while there is an exchange to read from.
      const visitor = { protocols, queries: c.req.query(), host: c.req.header('host') ?? '' }
      const line = {
        ...connectionOptions(door, live, c),
        isKnown: await isKnown(live, door.secretIn?.(protocols)),
      }
      return upgrade(c, terms, (socket) => acceptSocket(door, socket, line, visitor))
    },
  }))
}

async function isKnown({ gateway }: LiveConnectionParts, secret: string | undefined): Promise<boolean> {
  const token = secret === undefined ? undefined : await gateway.tokens.authenticate(secret)
  return token !== undefined && token.role !== 'agent'
}

function connectionOptions(door: SocketDoor, live: LiveConnectionParts, c: HttpContext) {
  return {
    ...live,
    closing: c.env?.closing,
    locale: localeOf(c.req.header('accept-language')),
    via: 'socket',
    remote: isRemote(c),
    helloWithinMs: door.helloWithinMs,
    helloReason: 'say who you are first',
  }
}

function acceptSocket(
  door: SocketDoor,
  socket: WebSocket,
  options: ReturnType<typeof connectionOptions>,
  { protocols, queries, host }: { protocols: string[]; queries: Record<string, string>; host: string },
): SocketListener {
  const line = openWebSocketConnection(socket, options)
  if (line === undefined) return { hear() {}, end() {} }
  let guest: SocketClient
  try {
    guest = door.open(line, handshakeOf(line, options, { protocols, queries, host }))
  } catch (error) {
    line.fail(error)
    return { hear() {}, end() {} }
  }
  let isOver = false
  line.onEnd(() => {
    isOver = true
    guest.gone()
  })
  return {
    hear(text) {
      if (isOver) return
      try {
        guest.hear(text)
      } catch (error) {
        line.fail(error)
      }
    },
    end: line.end,
  }
}

function handshakeOf(
  line: WebSocketConnection,
  { locale, closing }: ReturnType<typeof connectionOptions>,
  { protocols, queries, host }: { protocols: string[]; queries: Record<string, string>; host: string },
): SocketHandshake {
  return {
    query: (name) => (Object.hasOwn(queries, name) ? queries[name] : undefined),
    protocols,
    locale,
    host,
    async identify(secret) {
      const caller = await line.introduce(secret, isPerson)
      return caller && doorCallerOf(caller)
    },
    closing: closing ?? new AbortController().signal,
  }
}

function isPerson({ actor }: Caller): boolean {
  return actor.role !== 'agent'
}

function doorCallerOf({ actor, token, stillHolds }: Caller): DoorCaller {
  return { actor, token, credential: 'bearer', stillHolds }
}
