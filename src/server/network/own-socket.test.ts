/** The socket that only the server's own user can reach. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readServerFile } from '../installation/data-folder.ts'
import { type Server, startServer } from '../start-server.ts'
import { ownSocketPath } from './own-socket.ts'

let folder: string
let data: string
let path: string
let server: Server | undefined
let said: string[]
const closing: (() => unknown)[] = []

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bm-')))
  data = join(folder, '.banksman')
  path = join(data, 'run', 'banksman.sock')
  said = []
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<Server> {
  server = await startServer({
    host: '127.0.0.1',
    port: 0,
    data,
    configuration: join(folder, 'banksman.yaml'),
    policy: { allow: ['Read(./**)'] },
    environment: { BANKSMAN_HOME: join(folder, 'home'), HOME: folder },
    report: ({ error }) => {
      throw error
    },
    say: (line) => said.push(line),
  })
  return server
}

async function send(
  method: string,
  address: string,
  headers: Record<string, string>,
  to: { socketPath: string } | { host: string; port: number } = { socketPath: path },
  body?: string,
) {
  const sent = request({ ...to, method, path: address, headers })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode as number, json: JSON.parse(text) }
}

describe('the socket of a server', () => {
  it('is in a folder of the own user alone, is named where the command line looks, and goes with the server', async () => {
    await start()
    expect(readServerFile(server!.folder)?.socket).toBe(path)
    expect(statSync(join(data, 'run')).mode & 0o777).toBe(0o700)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await send('GET', '/healthz', { host: 'banksman' })).status).toBe(200)
    await server!.close()
    server = undefined
    expect(existsSync(path)).toBe(false)
    expect(said.filter((line) => line.includes('socket'))).toEqual([])
  })

  it('answers to its own name and to no page, and the port does not answer to that name', async () => {
    await start()
    const { port } = new URL(server!.url)
    expect((await send('GET', '/healthz', { host: `127.0.0.1:${port}` })).status).toBe(421)
    expect((await send('GET', '/healthz', { host: 'banksman', origin: 'http://banksman' })).status).toBe(403)
    const tcp = { host: '127.0.0.1', port: Number(port) }
    expect((await send('GET', '/healthz', { host: 'banksman' }, tcp)).status).toBe(421)
  })

  it('needs a credential like the port', async () => {
    await start()
    expect((await send('GET', '/v1/me', { host: 'banksman' })).status).toBe(401)
  })

  it('counts as this machine: facts are gathered for whoever comes by it', async () => {
    await start()
    writeFileSync(join(folder, 'notes.txt'), 'x')
    const { gateway, self } = server!
    const made = await gateway.tokens.create({ role: 'agent', subject: 'codex@host' }, self)
    const verdictOf = async (more: Record<string, string>, session: string) => {
      const call = { tool: 'Read', arguments: { file_path: 'notes.txt' }, cwd: folder, callId: 'a', session }
      const headers = {
        host: 'banksman',
        authorization: `Bearer ${made.secret}`,
        'content-type': 'application/json',
        ...more,
      }
      return (await send('POST', '/v1/calls', headers, undefined, JSON.stringify(call))).json.verdict.kind
    }
    expect(await verdictOf({}, 'here')).toBe('allow')
    // A proxy of the own user's that hands others on is told by what it sends.
    expect(await verdictOf({ 'x-forwarded-for': '10.0.0.7' }, 'proxied')).toBe('ask')
  })

  it('takes the place of one that a killed server left behind', async () => {
    mkdirSync(join(data, 'run'), { recursive: true, mode: 0o700 })
    const left = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', left])
    expect(existsSync(path)).toBe(true)
    await start()
    expect(readServerFile(server!.folder)?.socket).toBe(path)
    expect((await send('GET', '/healthz', { host: 'banksman' })).status).toBe(200)
  })
})

describe('P5: there is no socket, and it is said,', () => {
  const none = (why: string) => {
    expect(readServerFile(server!.folder)).not.toHaveProperty('socket')
    expect(said.some((line) => line.startsWith('There is no socket for hooks') && line.includes(why))).toBe(
      true,
    )
  }

  it('where others can enter its folder', async () => {
    mkdirSync(join(data, 'run'), { recursive: true })
    chmodSync(join(data, 'run'), 0o750)
    await start()
    none('only you can enter')
    expect(existsSync(path)).toBe(false)
  })

  it('P11: where its folder is a link, there is no start', async () => {
    mkdirSync(join(folder, 'elsewhere'), { mode: 0o700 })
    mkdirSync(data, { mode: 0o700 })
    symlinkSync(join(folder, 'elsewhere'), join(data, 'run'))
    await expect(start()).rejects.toThrow('holds a link, run')
  })

  it('where a file is in its place, which stays', async () => {
    mkdirSync(join(data, 'run'), { recursive: true, mode: 0o700 })
    writeFileSync(path, 'mine')
    await start()
    none('no socket of yours')
    expect(existsSync(path)).toBe(true)
  })

  it('where another program listens, which goes on', async () => {
    mkdirSync(join(data, 'run'), { recursive: true, mode: 0o700 })
    const other = createServer((_, answer) => answer.end('"other"')).listen(path)
    closing.push(() => other.close())
    await once(other, 'listening')
    await start()
    none('another program listens')
    expect((await send('GET', '/', {})).json).toBe('other')
  })
})

describe('where the socket is', () => {
  it('is elsewhere when the data folder has too long a name, and nowhere when that has one too', () => {
    const long = `/${'x'.repeat(120)}`
    expect(ownSocketPath('/srv/.banksman', {})).toBe('/srv/.banksman/run/banksman.sock')
    expect(ownSocketPath(long, { XDG_RUNTIME_DIR: '/run/user/7' })).toMatch(
      /^\/run\/user\/7\/banksman\/[0-9a-f]{16}\.sock$/,
    )
    expect(ownSocketPath(long, { XDG_RUNTIME_DIR: long })).toBeUndefined()
    expect(ownSocketPath(long, {})).toBeUndefined()
  })

  it('is a name that a socket can have', async () => {
    const longest = join(folder, 'x'.repeat(103 - folder.length - 1))
    expect(Buffer.byteLength(longest)).toBe(103)
    const listening = createSocketServer().listen(longest)
    closing.push(() => listening.close())
    await once(listening, 'listening')
  })
})
