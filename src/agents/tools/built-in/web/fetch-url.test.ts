/** `fetch_url` against real servers on loopback, which it reaches only where that is listed. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openToolFixture, type ToolFixture } from '../fixtures/tool-fixture.ts'
import { createFetchUrl, type FetchUrlOptions } from './fetch-url.ts'

let bench: ToolFixture
const servers: { close(): unknown }[] = []

beforeEach(async () => {
  bench = await openToolFixture()
})
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await bench.close()
})

async function serve(
  answer: RequestListener,
  host = '127.0.0.1',
): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  servers.push({
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

const LOCAL = { allow: ['127.0.0.0/8'], own: () => [] }
const fetchWith = (
  options: Partial<FetchUrlOptions>,
  args: Parameters<ToolFixture['run']>[1],
  signal?: AbortSignal,
) => bench.run(createFetchUrl({ ...LOCAL, ...options }), args, signal)

describe('what is read', () => {
  it('text as it is sent, with status and type', async () => {
    const { port, asked } = await serve((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end('<p>Grüße</p>')
    })
    const url = `http://127.0.0.1:${port}/a?b#c`
    const { text, isError } = await fetchWith({}, { url })
    expect(isError).toBeUndefined()
    expect(text).toBe(
      `HTTP 200 OK\nurl: ${url}\ncontent-type: text/html; charset=utf-8\ncontent-length: 14\n\n<p>Grüße</p>`,
    )
    expect(asked).toEqual([`GET 127.0.0.1:${port} /a?b`])
  })

  it('by name with the right Host, and what else was asked for', async () => {
    const { port, asked } = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const lookup = async () => [{ address: '127.0.0.1' }]
    const url = `http://site.example:${port}/`
    const { text } = await fetchWith({ lookup }, { url, headers: { accept: 'text/plain' } })
    expect(asked).toEqual([`GET site.example:${port} /`])
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      accept: 'text/plain',
      'accept-encoding': 'identity',
    })
    expect((await fetchWith({ lookup }, { url, method: 'HEAD' })).text).not.toContain('{')
  })

  it('in the name’s own name over TLS', async () => {
    let named = ''
    const server = createTlsServer({
      SNICallback: (name, callback) => {
        named = name
        callback(new Error('that is all'))
      },
    })
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const { port } = server.address() as AddressInfo
    const lookup = async () => [{ address: '127.0.0.1' }]
    expect(await fetchWith({ lookup }, { url: `https://site.example:${port}/` })).toMatchObject({
      isError: true,
    })
    expect(named).toBe('site.example')
  })

  it('an error status with its text', async () => {
    const { port } = await serve((_, response) => response.writeHead(404).end('no such page'))
    expect(await fetchWith({}, { url: `http://127.0.0.1:${port}/` })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^HTTP 404 Not Found[\s\S]*no such page$/),
    })
  })

  it('text in another charset', async () => {
    const { port } = await serve((_, response) => {
      response.setHeader('content-type', 'text/plain; charset="iso-8859-1"')
      response.end(Buffer.from([0x67, 0xfc, 0x74]))
    })
    expect((await fetchWith({}, { url: `http://127.0.0.1:${port}/` })).text).toMatch(/güt$/)
  })

  it('a picture is put on the shelf, and other bytes are refused in words', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1000)])
    const { port } = await serve((request, response) => {
      if (request.url === '/p/a%20b.png') response.setHeader('content-type', 'image/png').end(png)
      else if (request.url === '/zip') response.setHeader('content-type', 'application/zip').end('PK')
      else if (request.url === '/image') response.setHeader('content-type', 'image/png').end('no picture')
      else response.end(Buffer.from([0, 1, 2]))
    })
    const { media } = await fetchWith({}, { url: `http://127.0.0.1:${port}/p/a%20b.png` })
    expect(media).toMatchObject([{ type: 'image/png', name: 'a b.png' }])
    for (const path of ['zip', 'bytes', 'image']) {
      expect(await fetchWith({}, { url: `http://127.0.0.1:${port}/${path}` })).toMatchObject({
        isError: true,
        text: expect.stringContaining('neither text nor a picture'),
      })
    }
  })
})

describe('how much, and for how long', () => {
  it('P9: a body without end is cut, and says so', async () => {
    let sent = 0
    const { port } = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('é'.repeat(10_000))) sent++
      }
      response.on('drain', more)
      more()
    })
    const { text } = await fetchWith({}, { url: `http://127.0.0.1:${port}/`, maxBytes: 10_001 })
    expect(text).toMatch(/\n\né{5000}\n\[cut after 10001 bytes; [^\]]*\]$/)
    expect(sent).toBeLessThan(10_000)
  })

  it.each(['gzip', 'br'])('packed as %s it is no larger than the limit either', async (encoding) => {
    const pack = encoding === 'gzip' ? gzipSync : brotliCompressSync
    const { port } = await serve((_, response) => {
      response.setHeader('content-encoding', encoding)
      response.end(pack(Buffer.alloc(20_000_000, 'x')))
    })
    const { text } = await fetchWith({}, { url: `http://127.0.0.1:${port}/`, maxBytes: 200_000 })
    expect(text).toMatch(/x{200000}\n\[cut/)
  })

  it('is refused where it is packed otherwise, broken, or not http', async () => {
    const { port } = await serve((request, response) => {
      response.setHeader('content-encoding', request.url === '/twice' ? 'gzip, gzip' : 'gzip')
      response.end('not packed')
    })
    const tcp = createTcpServer((socket) => socket.end('hello\n'))
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
    servers.push(tcp)
    for (const url of [
      `http://127.0.0.1:${port}/twice`,
      `http://127.0.0.1:${port}/broken`,
      `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`,
    ]) {
      expect(await fetchWith({}, { url })).toMatchObject({ isError: true })
    }
  })

  it.each(['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n', ''])(
    'ends where the server answers %j and something else, or nothing',
    async (head) => {
      const tcp = createTcpServer((socket) => socket.once('data', () => socket.end(head)))
      await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
      servers.push(tcp)
      const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`
      expect(await fetchWith({}, { url })).toMatchObject({ isError: true })
    },
  )

  it('ends when it is stopped: while looking up, while waiting, while reading', async () => {
    const { port } = await serve((request, response) => {
      if (request.url === '/some') response.write('some')
    })
    const never = () => new Promise<never>(() => {})
    for (const [options, url] of [
      [{ lookup: never }, 'http://site.example/'],
      [{}, `http://127.0.0.1:${port}/none`],
      [{}, `http://127.0.0.1:${port}/some`],
    ] as const) {
      const stop = new AbortController()
      const running = fetchWith(options, { url }, stop.signal)
      setImmediate(() => setImmediate(() => stop.abort()))
      expect(await running).toMatchObject({ isError: true })
    }
  })
})

describe('P5: where it does not go', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f.1:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0.0.0.0:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST.:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'http://[ff02::1]/',
    'http://10.1.2.3/',
    'http://172.31.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://１２７.０.０.１:PORT/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'http:127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT/',
    'http://user:word@site.example/',
    'http://site.example:0/',
    'site.example',
    'data:text/plain,x',
    'http://a b/',
    'http://127.0.0.1:PORT\n/',
  ])('%s, unless it is listed', async (template) => {
    const { port, asked } = await serve((_, response) => response.end('the inside'))
    const url = template.replace('PORT', String(port))
    const result = await fetchWith({ allow: [] }, { url })
    expect(result).toMatchObject({ isError: true })
    expect(result.text).not.toContain('the inside')
    expect(asked).toEqual([])
  })

  it('to a name of which only one address is private', async () => {
    const { port, asked } = await serve((_, response) => response.end('the inside'))
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:10.0.0.1',
      '169.254.169.254',
      'fe80::1%lo',
      'nonsense',
    ]) {
      const lookup = async () => [{ address: '93.184.215.14' }, { address }]
      const result = await fetchWith({ allow: [], lookup }, { url: `http://site.example:${port}/` })
      expect(result).toMatchObject({ isError: true })
    }
    expect(asked).toEqual([])
  })

  it('to another address than the one that was judged, when the name changes between', async () => {
    const good = await serve((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end()
      else response.end('good')
    })
    const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
    const lookup = async () => [{ address: addresses.shift() ?? '127.0.0.9' }]
    const { text } = await fetchWith(
      { allow: ['127.0.0.1'], lookup },
      { url: `http://site.example:${good.port}/` },
    )
    expect(text).toContain('good')
    expect(addresses).toHaveLength(2)
    expect(good.asked).toHaveLength(2)
  })

  it.each([
    '127.0.0.1:PORT',
    '127.1:PORT',
    'localhost:PORT',
    '0.0.0.0:PORT',
    '[::ffff:127.0.0.1]:PORT',
    'site.example:PORT',
    'banksman.example:PORT',
  ])('P11: to our own address as %s, whatever is listed', async (template) => {
    const { port, asked } = await serve((_, response) => response.end('the inside'), '0.0.0.0')
    const host = template.replace('PORT', String(port))
    const lookup = async () => [{ address: '127.0.0.1' }]
    const allow = ['0.0.0.0/0', '::/0', 'localhost', 'site.example', 'banksman.example']
    for (const own of [`127.0.0.1:${port}`, `http://banksman.example:${port}`, `0.0.0.0:${port}`]) {
      const result = await fetchWith({ allow, lookup, own: () => [own] }, { url: `http://${host}/` })
      expect(result).toMatchObject({ isError: true, text: expect.stringContaining('own address') })
    }
    expect(asked).toEqual([])
  })

  it('P11: to what our own name leads to', async () => {
    const lookup = async () => [{ address: '203.0.113.7' }]
    const result = await fetchWith(
      { allow: ['203.0.113.0/24'], lookup, own: () => ['banksman.example:443'] },
      { url: 'https://site.example/' },
    )
    expect(result.text).toContain('own address')
  })

  it('is what the configuration says, which must be readable', async () => {
    const { port } = await serve((_, response) => response.end('the inside'))
    const url = `http://localhost:${port}/`
    const lookup = async () => [{ address: '127.0.0.1' }]
    for (const allow of [['localhost'], [`localhost:${port}`], ['127.0.0.1'], ['127.0.0.0/8']]) {
      expect((await fetchWith({ allow, lookup }, { url })).text).toContain('the inside')
    }
    for (const allow of [[`localhost:${port + 1}`], ['127.0.0.2'], ['example.com']]) {
      expect(await fetchWith({ allow, lookup }, { url })).toMatchObject({ isError: true })
    }
    for (const entry of [
      '',
      'http://x/',
      '10.0.0.0/33',
      '10.0.0.0/x',
      '*',
      '*.example',
      'a/b',
      'a b',
      '::/129',
    ]) {
      expect(() => createFetchUrl({ allow: [entry], own: () => [] })).toThrow('fetch.allow')
    }
  })
})

describe('redirects', () => {
  it('are followed in the same place only, five at most', async () => {
    const { port, asked } = await serve((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step === 5) response.end('there')
      else response.writeHead(302, { location: `/${step + 1}` }).end()
    })
    expect((await fetchWith({}, { url: `http://127.0.0.1:${port}/0` })).text).toContain('there')
    expect(asked).toHaveLength(6)
    const around = await serve((_, response) => response.writeHead(301, { location: '/' }).end())
    expect(await fetchWith({}, { url: `http://127.0.0.1:${around.port}/` })).toMatchObject({
      isError: true,
      text: expect.stringContaining('more than 5 times'),
    })
  })

  it.each([
    'http://127.0.0.1:OTHER/secret',
    'http://localhost:PORT/',
    'https://127.0.0.1:PORT/',
    '//127.0.0.2:PORT/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://169.254.169.254/',
  ])('to %s are told and not followed', async (template) => {
    const other = await serve((_, response) => response.end('the inside'))
    let location = ''
    const { port, asked } = await serve((_, response) => response.writeHead(302, { location }).end())
    location = template.replace('OTHER', String(other.port)).replace('PORT', String(port))
    const { text } = await fetchWith({}, { url: `http://127.0.0.1:${port}/` })
    expect(text).toContain('make a new call')
    expect([asked.length, other.asked.length]).toEqual([1, 0])
  })

  it('to an address with a password, or to none, are refused', async () => {
    for (const where of ['http://a:b@127.0.0.1:PORT/', 'http://[', 'http://a b']) {
      let location = ''
      const { port } = await serve((_, response) => response.writeHead(302, { location }).end())
      location = where.replace('PORT', String(port))
      expect(await fetchWith({}, { url: `http://127.0.0.1:${port}/` })).toMatchObject({ isError: true })
    }
  })
})

it('a server that sends its headers without end is left', async () => {
  const sockets: Socket[] = []
  const tcp = createTcpServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('HTTP/1.1 200 OK\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(`x-a: ${'b'.repeat(1000)}\r\n`));
    }
    socket.on('drain', more)
    more()
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  servers.push(tcp)
  const url = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`
  expect(await fetchWith({}, { url })).toMatchObject({ isError: true })
  for (const socket of sockets) socket.destroy()
})
