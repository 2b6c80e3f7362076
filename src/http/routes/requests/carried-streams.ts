/** The streams of a page over one socket: each is asked of its own route, with the credential that the socket came with. */

import { isRemote } from '../../access/is-remote.ts'
import { localeOf } from '../../access/locale.ts'
import type { HttpContext, ServerBindings } from '../../connection/http-context.ts'
import type { LiveConnectionParts } from '../../connection/live-connection.ts'
import { checkUpgrade, upgrade } from '../../connection/websocket-upgrades.ts'
import { carryStreams, MAX_CARRIER_FRAME_BYTES, type StreamToOpen } from '../../events/stream-carrier.ts'
import { publicRoute, type Route } from '../route.ts'

/** The whole app: where a request comes from and whose it is are looked at as for any other. */
type AskApp = (request: Request, env: ServerBindings) => Response | Promise<Response>

export function carriedStreamRoutes(live: LiveConnectionParts, ask: AskApp): Route[] {
  return [
    // The credential comes in the first frame, since a browser can't send headers with a WebSocket.
    publicRoute('GET /v1/streams', {
      summary:
        'Streams of this API over one WebSocket, for pages: a browser keeps few connections. The first frame is hello with a token.',
      answers: [{ status: 101, description: 'Switching to WebSocket.' }],
      async answer({ c }) {
        checkUpgrade(c, 'for plain HTTP there is /v1/events')
        const host = {
          ...live,
          closing: c.env?.closing,
          locale: localeOf(c.req.header('accept-language')),
          remote: isRemote(c),
          open: (stream: StreamToOpen) => openStream(c, ask, stream),
        }
        return upgrade(c, { maxFrameBytes: MAX_CARRIER_FRAME_BYTES, protocol: undefined }, (socket) =>
          carryStreams(socket, host),
        )
      },
    }),
  ]
}

async function openStream(c: HttpContext, ask: AskApp, stream: StreamToOpen): Promise<Response> {
  // Those of the page: they tell what is between it and us. Those of the upgrade are not for the stream.
  const headers = new Headers()
  for (const [name, value] of Object.entries(c.req.header())) {
    if (!OF_UPGRADE.test(name)) headers.set(name, value)
  }
  headers.set('accept', 'text/event-stream')
  headers.set('authorization', `Bearer ${stream.token}`)
  if (stream.after !== undefined) headers.set('last-event-id', stream.after)
  if (stream.language !== undefined) headers.set('accept-language', stream.language)
  const request = new Request(new URL(stream.path, c.req.url), { headers })
  return ask(request, { ...c.env, isCarried: true })
}

const OF_UPGRADE = /^(?:upgrade|connection|sec-websocket-.*|authorization|cookie|last-event-id|content-.*)$/i
