/** A server in front of the real one that fails at a step of a test's choice: it hangs, breaks off, or answers something else. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Fault =
  /** None: the next one is for the exchange behind this. */
  | 'passes'
  /** The real server never hears of it. */
  | 'refused'
  /** The real server has done it, and nobody hears the answer. */
  | 'answer lost'
  | 'hangs'
  /** The answer begins, goes on byte by byte, and never ends. */
  | 'trickles'
  /** The real answer, byte by byte. */
  | 'slowly'
  | '500'
  | 'html'
  | 'garbage'

const ANSWERS = {
  '500': [500, 'application/problem+json', '{"code":"internal","title":"something broke"}'],
  html: [502, 'text/html', '<h1>Bad gateway</h1>'],
  garbage: [200, 'application/json', '{"kind":"held","arguments":{}}'],
} as const

export interface FaultyServer {
  url: string
  /** The next exchanges whose path ends so fail, each in its way. */
  fail(path: RegExp, ...faults: Fault[]): void
  /** What came through: method and path, with what was done about it. */
  seen: string[]
  close(): Promise<void>
}

/** `target` may change: a server that is started again has another port. */
export async function startFaultyServer(target: string | (() => string)): Promise<FaultyServer> {
  const planned: { path: RegExp; faults: Fault[] }[] = []
  const seen: string[] = []

  function forward(
    from: IncomingMessage,
    body: Buffer,
    answer: (status: number, headers: object, body: Buffer) => void,
  ) {
    const { hostname, port } = new URL(typeof target === 'string' ? target : target())
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
        response.on('error', () => from.socket.destroy())
      },
    )
    onward.on('error', () => from.socket.destroy())
    from.socket.on('close', () => onward.destroy())
    onward.end(body)
  }

  function handle(from: IncomingMessage, to: ServerResponse, body: Buffer): void {
    const path = (from.url ?? '').split('?')[0]!
    const fault = planned.find((one) => one.path.test(path) && one.faults.length > 0)?.faults.shift()
    seen.push(fault === undefined ? path : `${path} ${fault}`)
    if (fault === undefined || fault === 'passes') {
      forward(from, body, (status, headers, answer) => {
        to.writeHead(status, headers as Record<string, string>)
        to.end(answer)
      })
    } else if (fault === 'refused') from.socket.destroy()
    else if (fault === 'answer lost') forward(from, body, () => from.socket.destroy())
    else if (fault === 'hangs') forward(from, body, () => {})
    else if (fault === 'trickles') forward(from, body, () => trickle(to))
    else if (fault === 'slowly')
      forward(from, body, (status, headers, answer) => {
        to.writeHead(status, headers as Record<string, string>)
        writeSlowly(to, answer)
      })
    else {
      const [status, type, text] = ANSWERS[fault]
      to.writeHead(status, { 'content-type': type })
      to.end(text)
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

/** Until the other side has had enough. */
function trickle(to: ServerResponse): void {
  to.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => to.write(' '), 50)
  to.on('close', () => clearInterval(timer))
}

export function writeSlowly(to: ServerResponse, bytes: Buffer, at = 0): void {
  if (at === bytes.length) to.end()
  else to.write(bytes.subarray(at, at + 1), () => setImmediate(() => writeSlowly(to, bytes, at + 1)))
}
