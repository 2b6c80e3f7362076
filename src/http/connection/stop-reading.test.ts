import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { MAX_DISCARDED_BYTES } from './stop-reading.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway()
})
afterAll(() => http.close())

/** What the buffers of the system hold on the way, on both sides. */
const ON_THE_WAY = 24 * 1024 * 1024
const CHUNK = `10000\r\n${' '.repeat(0x10000)}\r\n`

/** Sends chunks for as long as the server takes them. */
function sendWithoutEnd(socket: Socket): void {
  const more = () => {
    while (!socket.destroyed && socket.write(CHUNK)) {
      // Until there is no room.
    }
  }
  socket.on('drain', more).on('error', () => {})
  more()
}

describe('a body that goes on after the answer', () => {
  it.each([
    ['a stranger', 'POST', '/v1/calls', 401],
    ['a stranger', 'GET', '/v1/requests', 401],
    ['a stranger', 'DELETE', '/v1/nothing', 401],
    ['agent-1', 'POST', '/v1/policy/explain', 403],
    ['agent-1', 'GET', '/v1/requests', 200],
  ])('is not read to its end, and the connection is closed: %s, %s %s', async (who, method, path, status) => {
    const socket = http.raw()
    const token = who === 'a stranger' ? 'nobody' : http.tokens['agent-1']
    socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${http.host}\r\nauthorization: Bearer ${token}\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    // Not `once`, to which a connection that is reset is a failure.
    const closed = new Promise((resolve) => socket.once('close', resolve))
    sendWithoutEnd(socket)
    const [answer] = await once(socket.setEncoding('utf8'), 'data')
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    await closed
    expect(socket.bytesWritten).toBeLessThan(MAX_DISCARDED_BYTES + ON_THE_WAY)
  })

  it('reaches who writes all before reading anything: the body is thrown away, and the connection goes on', async () => {
    const socket = http.raw().setEncoding('utf8')
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    const head = (length: number) =>
      `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\nauthorization: Bearer ${http.tokens['agent-1']}\r\n` +
      `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
    const size = 20 * 1024 * 1024
    for (const _ of [1, 2]) {
      socket.pause().write(head(size))
      await new Promise((resolve) => socket.write(' '.repeat(size), resolve))
      const answer = once(socket.resume(), 'data')
      expect(String(await answer)).toMatch(/^HTTP\/1\.1 413 /)
    }
    expect(failures).toEqual([])
    socket.destroy()
  })

  it('reaches who wants one exchange only, and the connection is closed after it', async () => {
    const socket = http.raw().setEncoding('utf8')
    const failures: Error[] = []
    socket.on('error', (error) => failures.push(error))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const size = 20 * 1024 * 1024
    socket
      .pause()
      .write(
        `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\nconnection: close\r\n` +
          `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
      )
    await new Promise((resolve) => socket.write(' '.repeat(size), resolve))
    expect(String(await once(socket.resume(), 'data'))).toMatch(/^HTTP\/1\.1 401 /)
    await closed
    expect(failures).toEqual([])
  })

  it('is not held open for who ends just behind the bound, and wanted one exchange only', async () => {
    const socket = http.raw()
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const size = MAX_DISCARDED_BYTES + 1
    socket
      .resume()
      .write(
        `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\nconnection: close\r\n` +
          `content-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
      )
    socket.write(' '.repeat(size))
    await closed
  })

  it('is not held open for who offers another protocol than WebSocket', async () => {
    const socket = http.raw()
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(
      `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\nupgrade: h2c\r\nconnection: upgrade\r\n` +
        'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
    )
    socket.resume()
    sendWithoutEnd(socket)
    await closed
  })

  it('keeps the connection of who is about to finish', async () => {
    const socket = http.raw()
    const head = `POST /v1/calls HTTP/1.1\r\nhost: ${http.host}\r\ncontent-type: application/json\r\n`
    socket.setEncoding('utf8')
    socket.write(`${head}content-length: 100000\r\n\r\n{`)
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 401 /)
    socket.write(`${' '.repeat(99_999)}${head}content-length: 2\r\n\r\n{}`)
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 401 /)
    socket.destroy()
  })
})
