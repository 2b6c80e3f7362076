/** What changes, live: as a stream and over a socket. */
import { randomUUID } from 'node:crypto'
import { upgradeWebSocket } from '@hono/node-server'
import type { WebSocket } from 'ws'
import { BanksmanError } from '../../core/errors.ts'
import { type Caller, localeOf } from '../authentication.ts'
import { type Connections, createConnections } from '../connections.ts'
import { createEventStream } from '../event-stream.ts'
import { hostClock } from '../every.ts'
import { type LiveEvent, liveEvents } from '../live-events.ts'
import { DEFAULT_HTTP_SETTINGS, type HttpContext, type HttpParts, type HttpSettings } from '../parts.ts'
import { publicRoute, type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'
import { type Conversation, converse } from '../socket.ts'

/** The channel's name, for presence (P8). */
const STREAM_CHANNEL = 'stream'

export function liveRoutes(parts: HttpParts): Route[] {
  const settings: HttpSettings = { ...DEFAULT_HTTP_SETTINGS, ...parts.settings }
  const connections = createConnections()
  const { clock = hostClock } = parts
  return [
    route({
      method: 'GET',
      path: '/v1/events',
      summary:
        'What changes, as server-sent events. Last-Event-ID goes on from there; without it, list at `reset`.',
      access: 'anyone',
      answers: [
        { status: 200, description: 'Events.', schema: answers.event, mediaType: 'text/event-stream' },
      ],
      answer: ({ c, caller }) => openStream({ ...parts, clock }, settings, connections, c, caller),
    }),
    // The credential comes in the first frame, since a browser can't send headers with a WebSocket.
    publicRoute({
      method: 'GET',
      path: '/v1/socket',
      summary:
        'The same events over a WebSocket, and decisions the other way. The first frame is hello with a token.',
      answers: [{ status: 101, description: 'Switching to WebSocket.' }],
      async answer({ c }) {
        if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
          throw new BanksmanError('invalid', '/v1/socket is a WebSocket; for plain HTTP there is /v1/events')
        }
        const locale = localeOf(c.req.header('accept-language'))
        const host = { ...parts, clock, connections, settings, closing: c.env.closing, locale }
        let conversation: Conversation | undefined
        return upgradeWebSocket(c, {
          onOpen: (_, { raw }) => {
            conversation = converse(raw as unknown as WebSocket, host)
          },
          onMessage: ({ data }) => conversation?.hear(typeof data === 'string' ? data : undefined),
          onClose: () => conversation?.end(),
          onError: () => conversation?.end(),
        })
      },
    }),
  ]
}

async function openStream(
  { gateway, report, clock }: HttpParts & { clock: NonNullable<HttpParts['clock']> },
  settings: HttpSettings,
  connections: Connections,
  c: HttpContext,
  caller: Caller,
): Promise<Response> {
  if (c.req.method !== 'GET')
    throw new BanksmanError('method_not_allowed', '/v1/events is read by GET', { allow: ['GET'] })
  const over = new AbortController()
  const place = connections.enter(caller.token, settings.connectionsPerToken)
  const onFault = (error: unknown) => report?.({ doing: 'sending events', error })
  let leave = () => {}
  const onEnd = () => {
    over.abort()
    place.leave()
    leave()
  }
  try {
    if (caller.actor.role !== 'agent') {
      const presence = { channel: STREAM_CHANNEL, connection: randomUUID(), subject: caller.actor.subject }
      // Who can't be noted as present can still read here.
      leave = (await gateway.arrive(presence).catch((error) => void onFault(error)))?.leave ?? leave
    }
    const after = c.req.header('last-event-id') || undefined
    const events = liveEvents(gateway, caller, { after, signal: over.signal })
    // Without a cursor the first event is there before the answer begins: whoever lists after that misses nothing.
    const first = after === undefined ? await events.next() : undefined
    const stream = createEventStream({
      events: first === undefined ? events : startingWith(first, events),
      clock,
      keepAliveMs: settings.keepAliveMs,
      stillHolds: caller.stillHolds,
      closing: c.env?.closing,
      onEnd,
      onFault,
    })
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  } catch (error) {
    onEnd()
    throw error
  }
}

async function* startingWith(
  first: IteratorResult<LiveEvent, void>,
  rest: AsyncGenerator<LiveEvent, void>,
): AsyncGenerator<LiveEvent, void> {
  if (first.done) return
  yield first.value
  yield* rest
}
