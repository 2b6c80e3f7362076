/** A channel's socket, as routes: one for each of its paths. The channel hears frames and says frames; the rest is the line's. */
import type { WebSocket } from 'ws'
import type { SocketDoor, SocketGuest, SocketVisit, VisitCaller } from '../people/door.ts'
import { type Caller, localeOf } from './authentication.ts'
import { type Line, openLine } from './line.ts'
import type { HttpContext, LiveParts } from './parts.ts'
import { isRemote } from './remote.ts'
import type { Route } from './route.ts'
import { checkUpgrade, offeredProtocols, type SocketListener, upgrade } from './upgrades.ts'

export function socketDoorRoutes(door: SocketDoor, live: LiveParts): Route[] {
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
      const line = { ...lineOptions(door, live, c), isKnown: await isKnown(live, door.secretIn?.(protocols)) }
      return upgrade(c, terms, (socket) => welcome(door, socket, line, visitor))
    },
  }))
}

async function isKnown({ gateway }: LiveParts, secret: string | undefined): Promise<boolean> {
  const token = secret === undefined ? undefined : await gateway.tokens.authenticate(secret)
  return token !== undefined && token.role !== 'agent'
}

function lineOptions(door: SocketDoor, live: LiveParts, c: HttpContext) {
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

function welcome(
  door: SocketDoor,
  socket: WebSocket,
  options: ReturnType<typeof lineOptions>,
  { protocols, queries, host }: { protocols: string[]; queries: Record<string, string>; host: string },
): SocketListener {
  const line = openLine(socket, options)
  if (line === undefined) return { hear() {}, end() {} }
  let guest: SocketGuest
  try {
    guest = door.open(line, visitOf(line, options, { protocols, queries, host }))
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

function visitOf(
  line: Line,
  { locale, closing }: ReturnType<typeof lineOptions>,
  { protocols, queries, host }: { protocols: string[]; queries: Record<string, string>; host: string },
): SocketVisit {
  return {
    query: (name) => (Object.hasOwn(queries, name) ? queries[name] : undefined),
    protocols,
    locale,
    host,
    async identify(secret) {
      const caller = await line.introduce(secret, isPerson)
      return caller && visitCallerOf(caller)
    },
    closing: closing ?? new AbortController().signal,
  }
}

function isPerson({ actor }: Caller): boolean {
  return actor.role !== 'agent'
}

function visitCallerOf({ actor, token, stillHolds }: Caller): VisitCaller {
  return { actor, token, credential: 'bearer', stillHolds }
}
