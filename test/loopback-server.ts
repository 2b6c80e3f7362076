/** A real HTTP server on a free loopback port that speaks the wire by hand, for tests of what talks to one. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Heard {
  method: string
  /** With the query. */
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface LoopbackServer {
  url: string
  heard: Heard[]
  close(): Promise<void>
}

export async function startLoopbackServer(
  answer: (heard: Heard, response: ServerResponse, index: number) => void | Promise<void>,
): Promise<LoopbackServer> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
    heard.push(one)
    await answer(one, response, heard.length - 1)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, {
    'content-type': status < 400 ? 'application/json' : 'application/problem+json',
  })
  response.end(JSON.stringify(value))
}
