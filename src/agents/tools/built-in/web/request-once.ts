/** One http request to addresses that were judged before, and to no other. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { ToolError } from '../../tool.ts'
import { plainAddress } from './address-rules.ts'

export interface RequestOptions {
  method: 'GET' | 'HEAD'
  headers: Readonly<Record<string, string>>
  /** The name's addresses. The name itself is not looked up again. */
  addresses: readonly string[]
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  statusText: string
  headers: http.IncomingHttpHeaders
  body: IncomingMessage
  close(): void
}

export function requestOnce(url: URL, options: RequestOptions): Promise<HttpResponse> {
  const { method, headers, addresses, signal } = options
  const judged = new Set(addresses.map(plainAddress))
  const { request } = url.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method,
      // What is sent as it is can't grow when it is read.
      headers: { accept: '*/*', 'user-agent': 'banksman', ...headers, 'accept-encoding': 'identity' },
      // A connection of its own, which is closed afterwards.
      agent: false,
      lookup: lookupIn(addresses),
      signal,
    })
    asked.once('socket', (socket: Socket) => {
      const check = () => {
        const remote = socket.remoteAddress
        if (remote === undefined || judged.has(plainAddress(remote))) return
        asked.destroy(new ToolError(`${url.host} led to ${remote}, which was not looked at`))
      }
      socket.once('connect', check)
    })
    asked.once('response', (body) => {
      resolve({
        status: body.statusCode ?? 0,
        statusText: body.statusMessage ?? '',
        headers: body.headers,
        body,
        close: () => {
          // What comes now is of no interest, and neither is how it ends.
          body.on('error', () => {})
          body.destroy()
          asked.destroy()
        },
      })
    })
    asked.on('error', reject)
    // Node says nothing of an answer that turns into something else, and nothing of a connection that is merely gone.
    asked.once('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new ToolError(`${url.host} wants to speak another protocol`))
    })
    asked.once('close', () => reject(new ToolError(`${url.host} closed the connection without an answer`)))
    asked.end()
  })
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, { all }, callback) => {
    const [first] = found
    if (all === true) callback(null, found)
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
}
