import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { defined } from '../../core/defined.ts'
import type { HttpEnv } from './http-context.ts'
import { bindHttpServer, type HttpServer, startHttpServer } from './start-http-server.ts'

const servers: { close(): unknown }[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(app: Hono<HttpEnv>, graceMs?: number): Promise<HttpServer> {
  const options = { host: '127.0.0.1', port: 0, ...defined({ graceMs }) }
  const server = await startHttpServer(app, options)
  servers.push(server)
  return server
}

describe('a port', () => {
  it('that is in use is named, with how to choose another', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    servers.push(other)
    const { port } = other.address() as AddressInfo
    await expect(startHttpServer(new Hono<HttpEnv>(), { host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'address_in_use',
      message: expect.stringMatching(new RegExp(`port ${port} .*BANKSMAN_PORT or --port`)),
      details: { host: '127.0.0.1', port },
    })
  })

  it('that can’t be listened on at all is told apart', async () => {
    const options = { host: '192.0.2.1', port: 0 }
    await expect(startHttpServer(new Hono<HttpEnv>(), options)).rejects.toMatchObject({
      code: 'invalid_configuration',
    })
  })

  it('0 takes a free one, and says which', async () => {
    const server = await start(new Hono<HttpEnv>().get('/', (c) => c.text('here')))
    expect(server.address.url).toBe(`http://127.0.0.1:${server.address.port}`)
    expect(await (await fetch(server.address.url)).text()).toBe('here')
  })

  it('that is bound answers nobody before there is an app, and then those who waited', async () => {
    const server = await bindHttpServer({ host: '127.0.0.1', port: 0 })
    servers.push(server)
    const { socket, received } = await ask(server)
    server.serve(new Hono<HttpEnv>().get('/', (c) => c.text('here')))
    await once(socket, 'data')
    expect(received()).toMatch(/^HTTP\/1.1 200/)
  })

  it('that is given up before there is an app drops those who wait', async () => {
    const server = await bindHttpServer({ host: '127.0.0.1', port: 0 })
    const { socket, received } = await ask(server)
    await Promise.all([once(socket, 'close'), server.close()])
    expect(received()).toBe('')
  })
})

async function ask({ address: { port } }: HttpServer) {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise<void>((resolve) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', () => resolve())
  })
  return { socket, received: () => text }
}

describe('closing', () => {
  it('lets what is under way finish, and takes nothing new', async () => {
    let finish = () => {}
    let begun = () => {}
    const beginning = new Promise<void>((resolve) => {
      begun = resolve
    })
    const app = new Hono<HttpEnv>().get('/', async (c) => {
      await new Promise<void>((resolve) => {
        finish = resolve
        begun()
      })
      return c.text('finished')
    })
    const server = await start(app)
    const answer = fetch(server.address.url)
    await beginning
    const closed = server.close()
    await expect(fetch(server.address.url)).rejects.toThrow()
    finish()
    expect(await (await answer).text()).toBe('finished')
    await closed
  })

  it('does not wait for connections on which nothing was ever asked', async () => {
    const server = await start(new Hono<HttpEnv>(), 60_000)
    const socket = connect(server.address.port, '127.0.0.1').resume()
    await once(socket, 'connect')
    // One that was answered and is kept open.
    await (await fetch(server.address.url)).text()
    await server.close()
    if (!socket.closed) await once(socket, 'close')
  })

  it('waits a bounded time only', async () => {
    const server = await start(
      new Hono<HttpEnv>().get('/', () => new Promise<Response>(() => {})),
      20,
    )
    const answer = fetch(server.address.url)
    // Looked at before it can fail.
    const outcome = answer.then(
      () => 'answered',
      () => 'cut off',
    )
    await server.close()
    expect(await outcome).toBe('cut off')
  })

  describe('a whole server', () => {
    let http: HttpGateway
    it('tells streams and sockets to come back, and answers who waits for a person', async () => {
      http = await openHttpGateway({ graceMs: 20_000 })
      const stream = await http.events('ben')
      const socket = http.socket()
      await socket.opened
      socket.send({ type: 'hello', token: http.tokens.ben })
      await socket.next()
      const { id } = await http.ask()
      const { wait } = http.setup.gateway
      const waiting = new Promise<void>((resolve) => {
        http.setup.gateway.wait = (...input) => {
          resolve()
          return wait(...input)
        }
      })
      const held = http.send('GET', `/v1/requests/${id}?hold=60s`, { as: 'agent-1' })
      await waiting

      const closed = http.server.close()
      expect((await held).json).toMatchObject({ id, state: 'pending' })
      expect(await stream.rest()).toMatch(/: the server is restarting; come back\nretry: 1000\n\n$/)
      expect(await socket.closed).toEqual({ code: 1012, reason: 'the server is restarting; come back' })
      await closed
      // P7: nothing was withdrawn.
      expect((await http.setup.store.get(id))?.state).toBe('pending')
      await http.close()
    })
  })
})
