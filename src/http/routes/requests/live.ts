/** What changes, live: as a stream and over a socket. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import * as answers from '../../../wire/answers.ts'
import { briefQuery } from '../../../wire/view.ts'
import type { Caller } from '../../access/authentication.ts'
import { isRemote } from '../../access/is-remote.ts'
import { localeOf } from '../../access/locale.ts'
import type { LiveConnectionParts } from '../../connection/live-connection.ts'
import { checkUpgrade, upgrade } from '../../connection/websocket-upgrades.ts'
import { answerEvents } from '../../events/answer-events.ts'
import type { StreamedEvent } from '../../events/event-stream.ts'
import { type LiveOptions, liveEvents } from '../../events/live-events.ts'
import { MAX_FRAME_BYTES, serveSocket } from '../../events/live-socket.ts'
import { extentOf } from '../../to-wire/render-request.ts'
import { publicRoute, type Route, route } from '../route.ts'

/** The channel's name, for presence (P8). */
const STREAM_CHANNEL = 'stream'

export function liveRoutes(live: LiveConnectionParts): Route[] {
  return [
    route('GET /v1/events', {
      summary:
        'What changes, as server-sent events. Last-Event-ID goes on from there; without it, list at `reset`.',
      access: 'anyone',
      query: z.strictObject({ brief: briefQuery }),
      answers: [
        { status: 200, description: 'Events.', schema: answers.event, mediaType: 'text/event-stream' },
      ],
      answer: ({ c, caller, query }) =>
        answerEvents(live, c, caller, (over) =>
          openEvents(live, caller, {
            after: c.req.header('last-event-id') || undefined,
            extent: extentOf(query.brief),
            signal: over,
          }),
        ),
    }),
    // The credential comes in the first frame, since a browser can't send headers with a WebSocket.
    publicRoute('GET /v1/socket', {
      summary:
        'The same events over a WebSocket, and decisions the other way. The first frame is hello with a token.',
      answers: [{ status: 101, description: 'Switching to WebSocket.' }],
      async answer({ c }) {
        checkUpgrade(c, 'for plain HTTP there is /v1/events')
        const locale = localeOf(c.req.header('accept-language'))
        const host = { ...live, closing: c.env?.closing, locale, remote: isRemote(c) }
        return upgrade(c, { maxFrameBytes: MAX_FRAME_BYTES, protocol: undefined }, (socket) =>
          serveSocket(socket, host),
        )
      },
    }),
  ]
}

async function openEvents(
  { gateway, report }: LiveConnectionParts,
  caller: Caller,
  options: LiveOptions,
): Promise<AsyncGenerator<StreamedEvent, void>> {
  if (caller.actor.role !== 'agent') {
    const presence = { channel: STREAM_CHANNEL, connection: randomUUID(), subject: caller.actor.subject }
    try {
      const { leave } = await gateway.arrive(presence)
      options.signal.addEventListener('abort', leave, { once: true })
    } catch (error) {
      // Who can't be noted as present can still read here.
      report?.({ doing: 'noting who is connected', error })
    }
  }
  const events = liveEvents(gateway, caller, options)
  // Without a cursor the first event is there before the answer begins: whoever lists after that misses nothing.
  return options.after === undefined ? startingWith(await events.next(), events) : events
}

async function* startingWith(
  first: IteratorResult<StreamedEvent, void>,
  rest: AsyncGenerator<StreamedEvent, void>,
): AsyncGenerator<StreamedEvent, void> {
  if (first.done) return
  yield first.value
  yield* rest
}
