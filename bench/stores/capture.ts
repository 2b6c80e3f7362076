/**
 * Listens on the line between a driver and its server, and keeps what the driver sends, so that a bare client can send the
 * very same again: the statements, or the commands, and nothing of ours around them.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

export interface Capture {
  readonly port: number
  /** What was sent so far, in order, and forgets it. */
  take(): Buffer
  close(): Promise<void>
}

export async function startCapture(to: number): Promise<Capture> {
  let heard: Buffer[] = []
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    near.setNoDelay(true)
    far.setNoDelay(true)
    near.on('data', (bytes) => {
      heard.push(bytes)
      far.write(bytes)
    })
    far.on('data', (bytes) => void near.write(bytes))
    for (const socket of [near, far]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const all = Buffer.concat(heard)
      heard = []
      return all
    },
    async close() {
      server.close()
      server.unref()
    },
  }
}

/** The commands in what a Redis client sent. */
export function redisCommands(sent: Buffer): string[][] {
  const commands: string[][] = []
  let at = 0
  const line = () => {
    const end = sent.indexOf('\r\n', at)
    const text = sent.toString('latin1', at, end)
    at = end + 2
    return text
  }
  while (at < sent.length) {
    const count = Number(line().slice(1))
    const parts: string[] = []
    for (let index = 0; index < count; index++) {
      const length = Number(line().slice(1))
      parts.push(sent.toString('utf8', at, at + length))
      at += length + 2
    }
    commands.push(parts)
  }
  return commands
}

export interface Statement {
  text: string
  values: (string | null)[]
}

/** The statements in what a Postgres client sent: each `Parse` with the `Bind` that follows it. */
export function postgresStatements(sent: Buffer): Statement[] {
  const statements: Statement[] = []
  let text = ''
  for (let at = 0; at < sent.length; ) {
    const kind = String.fromCharCode(sent[at]!)
    const body = sent.subarray(at + 5, at + 1 + sent.readUInt32BE(at + 1))
    at += 1 + sent.readUInt32BE(at + 1)
    if (kind === 'P') {
      const start = body.indexOf(0) + 1
      text = body.toString('utf8', start, body.indexOf(0, start))
    } else if (kind === 'B') statements.push({ text, values: bound(body) })
  }
  return statements
}

function bound(body: Buffer): (string | null)[] {
  let at = body.indexOf(0) + 1
  at = body.indexOf(0, at) + 1
  at += 2 + 2 * body.readUInt16BE(at)
  const values: (string | null)[] = []
  const count = body.readUInt16BE(at)
  at += 2
  for (let index = 0; index < count; index++) {
    const length = body.readInt32BE(at)
    at += 4
    values.push(length < 0 ? null : body.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return values
}
