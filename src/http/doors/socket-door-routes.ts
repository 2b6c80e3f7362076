/** A channel's socket, as routes: one for each of its paths. The channel hears frames and sends frames; this does the rest. */
import type { WebSocket } from 'ws'
import type { DoorCaller, SocketClient, SocketDoor, SocketHandshake } from '../../people/door.ts'
import type { Caller } from '../access/authentication.ts'
import { isRemote } from '../access/is-remote.ts'
import { localeOf } from '../access/locale.ts'
import type { HttpContext } from '../connection/http-context.ts'
import type { LiveConnectionParts } from '../connection/live-connection.ts'
import { openWebSocketConnection, type WebSocketConnection } from '../connection/websocket-connection.ts'
import {
  checkUpgrade,
  offeredProtocols,
  type SocketListener,
  upgrade,
} from '../connection/websocket-upgrades.ts'
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
      const client = { protocols, queries: c.req.query(), host: c.req.header('host') ?? '' }
      const connection = {
        ...connectionOptions(door, live, c),
        isKnown: await isKnown(live, door.secretIn?.(protocols)),
      }
      return upgrade(c, terms, (socket) => acceptSocket(door, socket, connection, client))
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
    via: door.channel,
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
  const connection = openWebSocketConnection(socket, options)
  if (connection === undefined) return { hear() {}, end() {} }
  let client: SocketClient
  try {
    client = door.open(connection, handshakeOf(connection, options, { protocols, queries, host }))
  } catch (error) {
    connection.fail(error)
    return { hear() {}, end() {} }
  }
  let isOver = false
  connection.onEnd(() => {
    isOver = true
    client.gone()
  })
  return {
    hear(text) {
      if (isOver) return
      try {
        client.hear(text)
      } catch (error) {
        connection.fail(error)
      }
    },
    end: connection.end,
  }
}

function handshakeOf(
  connection: WebSocketConnection,
  { locale, closing }: ReturnType<typeof connectionOptions>,
  { protocols, queries, host }: { protocols: string[]; queries: Record<string, string>; host: string },
): SocketHandshake {
  return {
    query: (name) => (Object.hasOwn(queries, name) ? queries[name] : undefined),
    protocols,
    locale,
    host,
    async identify(secret) {
      const caller = await connection.introduce(secret, isPerson)
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
