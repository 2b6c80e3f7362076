/** A server in front of the real one that fails at a step of a test's choice: it hangs, breaks off, or answers something else. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault =
  /** The real server never hears of it. */
  | 'refused'
  /** The real server has done it, and nobody hears the answer. */
  | 'answer lost'
  | 'hangs'
  | '500'
  | 'html'
  | 'garbage'

export interface FaultyServer {
  url: string
  /** The next exchanges whose path ends so fail, each in its way. */
  fail(path: RegExp, ...faults: Fault[]): void
  /** What came through: method and path, with what was done about it. */
  seen: string[]
  close(): Promise<void>
}

export async function startFaultyServer(target: string): Promise<FaultyServer> {
  const planned: { path: RegExp; faults: Fault[] }[] = []
  const seen: string[] = []
  const { hostname, port } = new URL(target)

  function forward(
    from: IncomingMessage,
    body: Buffer,
    answer: (status: number, headers: object, body: Buffer) => void,
  ) {
    const onward = send(
      {
        hostname,
        port,
        method: from.method,
        path: from.url,
        headers: { ...from.headers, host: `${hostname}:${port}` },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part) => parts.push(part))
        response.on('end', () => answer(response.statusCode ?? 0, response.headers, Buffer.concat(parts)))
        response.on('error', () => from.destroy())
      },
    )
    onward.on('error', () => from.destroy())
    from.on('close', () => onward.destroy())
    onward.end(body)
  }

  function handle(from: IncomingMessage, to: ServerResponse, body: Buffer): void {
    const path = (from.url ?? '').split('?')[0]!
    const fault = planned.find((one) => one.path.test(path) && one.faults.length > 0)?.faults.shift()
    seen.push(fault === undefined ? path : `${path} ${fault}`)
    switch (fault) {
      case undefined:
        return forward(from, body, (status, headers, answer) => {
          to.writeHead(status, headers as Record<string, string>)
          to.end(answer)
        })
      case 'refused':
        return void from.destroy()
      case 'answer lost':
        return forward(from, body, () => from.destroy())
      case 'hangs':
        return forward(from, body, () => {})
      case '500':
        to.writeHead(500, { 'content-type': 'application/problem+json' })
        return void to.end('{"code":"internal","title":"something broke"}')
      case 'html':
        to.writeHead(502, { 'content-type': 'text/html' })
        return void to.end('<h1>Bad gateway</h1>')
      case 'garbage':
        to.writeHead(200, { 'content-type': 'application/json' })
        return void to.end('{"kind":"held","arguments":{}}')
    }
  }

  const server = createServer((from, to) => {
    const parts: Buffer[] = []
    from.on('data', (part) => parts.push(part))
    from.on('end', () => handle(from, to, Buffer.concat(parts)))
    from.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail: (path, ...faults) => void planned.push({ path, faults }),
    seen,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
