/** Whoever comes through a proxy is on another machine, as far as anyone knows, however little the proxy says. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server as NodeServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { trustFolder, writeTrusted } from './configuration/trust.ts'
import { type Server, startServer } from './start-server.ts'

let folder: string
let server: Server | undefined
let proxy: NodeServer | undefined
let calls = 0

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'banksman-proxy-')))
  writeFileSync(join(folder, 'notes.txt'), 'x')
})
afterEach(async () => {
  proxy?.closeAllConnections()
  proxy?.close()
  proxy = undefined
  await server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

async function start(lines: string[], port = 0): Promise<Server> {
  const environment = { BANKSMAN_HOME: join(folder, 'home'), HOME: folder }
  const configuration = join(folder, 'banksman.yaml')
  const policy = 'policy: { allow: ["Read(./**)"], deny: ["Read(./secret/**)"] }'
  const text = [policy, ...lines, ''].join('\n')
  writeFileSync(configuration, text)
  writeTrusted(trustFolder(environment), configuration, text, 'ana', 1)
  server = await startServer({
    host: '127.0.0.1',
    port,
    data: join(folder, '.banksman'),
    configuration,
    environment,
    report: ({ error }) => {
      throw error
    },
    say: () => {},
  })
  return server
}

interface Target {
  host?: string
  port?: number
  socketPath?: string
}

/** As nginx does with nothing but `proxy_pass`: our own Host, no header of its own. */
async function startBareProxy(target: Target, headers: Record<string, string> = {}): Promise<string> {
  proxy = createServer((incoming, outgoing) => {
    const { host: _, connection: __, ...others } = incoming.headers
    const host = target.socketPath === undefined ? `${target.host}:${target.port}` : 'localhost'
    const onward = request(
      { ...target, method: incoming.method, path: incoming.url, headers: { ...others, host, ...headers } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy!.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function read(url: string, headers: Record<string, string> = {}) {
  const agent = readFileSync(server!.folder.agentToken, 'utf8').trim()
  const response = await fetch(`${url}/v1/calls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      tool: 'Read',
      arguments: { file_path: 'notes.txt' },
      callId: `c${calls++}`,
      session: 's',
      cwd: folder,
    }),
  })
  const json = (await response.json()) as { verdict?: { kind: string }; code?: string; detail?: string }
  return { status: response.status, kind: json.verdict?.kind, code: json.code, detail: json.detail }
}

describe('a proxy with a listener of its own', () => {
  it('P5: everybody who comes in there is remote, whatever the proxy leaves out', async () => {
    const port = await freePort()
    const { url } = await start([`proxy: { listen: "127.0.0.1:${port}" }`])
    const outside = await startBareProxy({ host: '127.0.0.1', port })
    expect(await read(url)).toMatchObject({ kind: 'allow' })
    expect(await read(outside)).toMatchObject({ kind: 'ask' })
  })

  it('P5: also by a Unix socket', async () => {
    const sockets = join(folder, 'run')
    mkdirSync(sockets, { mode: 0o755 })
    const socketPath = join(sockets, 'proxy.sock')
    const { url } = await start([`proxy: { listen: "unix:${socketPath}" }`])
    const outside = await startBareProxy({ socketPath })
    expect(await read(url)).toMatchObject({ kind: 'allow' })
    expect(await read(outside)).toMatchObject({ kind: 'ask' })
    // One that was killed leaves its socket behind; the next one takes its place.
    await server!.close()
    await start([`proxy: { listen: "unix:${socketPath}" }`])
    expect(await read(outside)).toMatchObject({ kind: 'ask' })
  })

  it('P5: a socket where others could put theirs is refused', async () => {
    const sockets = join(folder, 'run')
    mkdirSync(sockets)
    chmodSync(sockets, 0o777)
    const starting = start([`proxy: { listen: "unix:${join(sockets, 'proxy.sock')}" }`])
    await expect(starting).rejects.toMatchObject({ code: 'invalid_configuration' })
    await expect(starting).rejects.toThrow('others can write')
  })

  it('P11: no call may name it', async () => {
    const port = await freePort()
    const { gateway } = await start([`proxy: { listen: "127.0.0.1:${port}" }`])
    const { verdict } = await gateway.review(
      {
        tool: 'fetch_url',
        arguments: { url: `http://127.0.0.1:${port}/v1/tokens` },
        callId: 'x',
        session: 's',
      },
      { subject: 'agent', role: 'agent', via: 'test' },
    )
    expect(verdict.kind).toBe('deny')
  })
})

describe('proxy.from', () => {
  it('P5: refuses a request that does not say whom it is for, and takes the rest as remote', async () => {
    const { url } = await start(['proxy: { from: [10.0.0.0/8, 127.0.0.0/8] }'])
    expect(await read(url)).toMatchObject({ status: 403, code: 'forbidden' })
    expect((await read(url)).detail).toContain('X-Forwarded-For')
    // Who sits at this machine is told the way out.
    expect((await read(url)).detail).toContain('proxy.listen')
    expect(await read(url, { 'x-forwarded-for': '' })).toMatchObject({ status: 403 })
    expect(await read(url, { 'x-forwarded-for': '192.0.2.7' })).toMatchObject({ kind: 'ask' })
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  it('leaves others alone', async () => {
    const { url } = await start(['proxy: { from: [10.0.0.7, "fd00::/8"] }'])
    expect(await read(url)).toMatchObject({ kind: 'allow' })
  })
})

describe('on the main port', () => {
  it.each([
    'x-forwarded-for',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'Forwarded',
    'Via',
    'X-Real-IP',
    'CF-Connecting-IP',
    'CF-Ray',
    'True-Client-IP',
    'X-Client-IP',
    'X-Cluster-Client-IP',
    'X-Envoy-External-Address',
    'Fly-Client-IP',
    'X-Amzn-Trace-Id',
    'Tailscale-User-Login',
    'Forwarded-For',
    'X_Forwarded_For',
    'X-Vercel-Forwarded-For',
    'X-Remote-Addr',
    'X-Originating-IP',
    'Incap-Client-IP',
    'X-Sucuri-ClientIP',
    'Ali-CDN-Real-IP',
    'X-Original-URI',
    'X-Scheme',
    'Front-End-Https',
  ])('P5: whoever comes with %s is remote', async (header) => {
    const { url } = await start([])
    expect(await read(url, { [header]: '1' })).toMatchObject({ kind: 'ask' })
  })

  it('P5: whoever calls by a public name is remote, and so is a proxy of HTTP 1.0', async () => {
    const { url } = await start(['names: [approvals.example.org]'])
    expect(await read(url)).toMatchObject({ kind: 'allow' })
    const named = await startBareProxy(
      { host: '127.0.0.1', port: Number(new URL(url).port) },
      { host: 'approvals.example.org' },
    )
    expect(await read(named)).toMatchObject({ kind: 'ask' })
    expect(await overHttp10(url)).toContain('"kind":"ask"')
  })

  it('P5: whoever names the whole address, as one does to a proxy, is remote', async () => {
    const { url } = await start([])
    const { hostname, port } = new URL(url)
    const target = { hostname, port, method: 'POST', path: 'http://approvals.example.org/v1/calls' }
    const agent = readFileSync(server!.folder.agentToken, 'utf8').trim()
    const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json' }
    const call = {
      tool: 'Read',
      arguments: { file_path: 'notes.txt' },
      callId: 'whole',
      session: 's',
      cwd: folder,
    }
    const answer = await new Promise<string>((resolve, reject) => {
      const asked = request({ ...target, headers }, async (response) => {
        resolve((await response.setEncoding('utf8').toArray()).join(''))
      })
      asked.on('error', reject).end(JSON.stringify(call))
    })
    expect(answer).toContain('"kind":"ask"')
  })
})

describe('the configuration', () => {
  it.each([
    ['proxy: { listen: 4791 }', 'proxy.listen must be an address with a port, as in 127.0.0.1:4791'],
    ['proxy: { listen: [] }', 'must be an address with a port, as in 127.0.0.1:4791'],
    ['proxy: { listen: "example.org:4791" }', 'must be an address with a port'],
    ['proxy: { listen: "127.0.0.1:99999" }', 'must be an address with a port'],
    ['proxy: { listen: "unix:proxy.sock" }', 'must be an address with a port'],
    ['proxy: { from: [10.0.0.0/40] }', 'must be an address or a range'],
    ['proxy: { from: [proxy.example.org] }', 'must be an address or a range'],
    ['proxy: { form: [] }', 'did you mean from?'],
  ])('%s is refused', async (line, words) => {
    await expect(start([line])).rejects.toThrow(words)
  })

  it.each(['127.0.0.1', 'localhost', '0.0.0.0'])(
    "the server's own address at %s is refused for the proxy",
    async (host) => {
      const port = await freePort()
      const starting = start([`proxy: { listen: "${host}:${port}" }`], port)
      await expect(starting).rejects.toMatchObject({ code: 'invalid_configuration' })
      await expect(starting).rejects.toThrow(/banksman.yaml:2:10: proxy.listen: .* the server's own/)
    },
  )
})

async function freePort(): Promise<number> {
  const trial = createServer()
  await new Promise<void>((resolve) => trial.listen(0, '127.0.0.1', resolve))
  const { port } = trial.address() as AddressInfo
  await new Promise((resolve) => trial.close(resolve))
  return port
}

async function overHttp10(url: string): Promise<string> {
  const { host, port } = new URL(url)
  const agent = readFileSync(server!.folder.agentToken, 'utf8').trim()
  const call = {
    tool: 'Read',
    arguments: { file_path: 'notes.txt' },
    callId: 'old',
    session: 's',
    cwd: folder,
  }
  const body = JSON.stringify(call)
  const head = [
    'POST /v1/calls HTTP/1.0',
    `Host: ${host}`,
    `Authorization: Bearer ${agent}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  let answer = ''
  for await (const piece of socket) answer += piece
  return answer
}
