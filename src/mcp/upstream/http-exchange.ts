/**
 * One exchange with an MCP server at an address. What `headers` carry, such as a credential, goes to this address only: no redirect is followed.
 * A failure says whether the server can have heard of the message.
 */
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface HttpExchangeOptions {
  url: URL
  headers: Readonly<Record<string, string>>
}

export interface OneExchange {
  method: 'POST' | 'GET' | 'DELETE'
  headers: OutgoingHttpHeaders
  body?: Buffer
  signal: AbortSignal
  /** Ends it where nothing comes for so long. Absent: the server may be silent. */
  silenceMs?: number | undefined
}

export type HttpExchange = (one: OneExchange) => Promise<IncomingMessage>

/** Nothing of the message was sent. */
export class NotSent extends Error {}

/** Nothing has come for longer than an answer may be silent. */
export class WentSilent extends Error {}

const KEEP_ALIVE_MS = 30_000

export function createHttpExchange({ url, headers }: HttpExchangeOptions): HttpExchange {
  const isSecure = url.protocol === 'https:'
  const start = isSecure ? requestHttps : requestHttp
  return ({ method, headers: own, body, signal, silenceMs }) =>
    new Promise((resolve, reject) => {
      const accept = method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'
      const sent = start(url, { method, signal, headers: { ...headers, accept, ...own } })
      let isConnected = false
      let response: IncomingMessage | undefined
      sent.once('socket', (socket) => {
        // A peer that has gone without a word is noticed, also where silence is usual.
        socket.setKeepAlive(true, KEEP_ALIVE_MS)
        isConnected = !socket.connecting
        socket.once(isSecure ? 'secureConnect' : 'connect', () => {
          isConnected = true
        })
      })
      if (silenceMs !== undefined)
        sent.setTimeout(silenceMs, () => {
          // What waits here unread is no silence of the server.
          if ((response?.readableLength ?? 0) > 0) sent.setTimeout(silenceMs)
          else {
            const why = new WentSilent(`nothing came from it for ${Math.ceil(silenceMs / 1000)} seconds`)
            // Whoever reads the answer is told why it ends.
            response?.destroy(why)
            sent.destroy(why)
          }
        })
      sent.once('response', (got) => {
        response = got
        // Whoever reads it hears of it; whoever doesn't read it needs not.
        got.on('error', () => {})
        resolve(got)
      })
      sent.on('error', (error) =>
        reject(
          isConnected ? error : new NotSent(`it can't be reached (${reasonOf(error)})`, { cause: error }),
        ),
      )
      sent.end(body)
    })
}

/** Node gives several attempts at a name as one error without a text. */
function reasonOf(error: Error & { code?: string }): string {
  return error.message === '' ? (error.code ?? error.name) : error.message
}
