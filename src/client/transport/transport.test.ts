import { afterEach, describe, expect, it } from 'vitest'
import { type LoopbackServer, sendJson, startLoopbackServer } from '../../../test/fixtures/loopback-server.ts'
import { ClientError, isClientError } from './client-error.ts'
import { createTransport } from './transport.ts'

let server: LoopbackServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const token = 'bmp_secret'

describe('one exchange', () => {
  it('sends the credential in a header and nowhere else, and gives the JSON back', async () => {
    server = await startLoopbackServer((_, response) =>
      sendJson(response, { ok: true, from: 'a newer server' }),
    )
    const transport = createTransport({ url: `${server.url}/prefix/`, token })
    const body = { b: 1 }
    const query = { q: 'x y', none: undefined }
    expect(await transport.json({ method: 'POST', path: ['v1', 'a/b ü?'], query, body })).toEqual({
      ok: true,
      from: 'a newer server',
    })
    const [heard] = server.heard
    expect(heard).toMatchObject({
      method: 'POST',
      path: '/prefix/v1/a%2Fb%20%C3%BC%3F?q=x+y',
      body: '{"b":1}',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
    expect(heard?.path).not.toContain(token)
    expect(heard?.body).not.toContain(token)
  })

  it('turns problem+json into a ClientError with all its members', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Already decided',
      status: 409,
      code: 'already_decided',
      detail: 'ana has already decided: reject',
      decision: { kind: 'reject', by: 'ana' },
    }
    server = await startLoopbackServer((_, response) => sendJson(response, problem, 409))
    const error = await failure(createTransport({ url: server.url, token }).json({ path: ['v1', 'x'] }))
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ code: 'already_decided', status: 409, message: problem.detail, problem })
    expect(isClientError(error, 'already_decided')).toBe(true)
    expect(isClientError(error, 'expired')).toBe(false)
  })

  it('P5: an unreachable server is its own code, with the address and what to check', async () => {
    server = await startLoopbackServer(() => {})
    const { url } = server
    await server.close()
    server = undefined
    const error = await failure(createTransport({ url, token }).json({ path: ['v1', 'x'] }))
    expect(error).toMatchObject({ code: 'unreachable', status: undefined })
    expect((error as ClientError).message).toBe(
      `can't reach ${url} (ECONNREFUSED). Check that \`banksman start\` is running there and that the address is right`,
    )
  })

  it('P5: an answer that breaks off is unreachable, never half an answer', async () => {
    server = await startLoopbackServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"decided":true}', () => response.destroy())
    })
    const error = await failure(createTransport({ url: server.url, token }).json({ path: ['v1', 'x'] }))
    expect(error).toMatchObject({ code: 'unreachable' })
  })

  it.each([
    [200, 'text/html', '<html>log in to the hotel</html>'],
    [200, 'application/json', '{"cut'],
    [200, 'application/json', ''],
    [502, 'text/html', '<html>bad gateway</html>'],
    [403, 'application/json', '{"error":"no code"}'],
    [403, 'application/json', 'null'],
  ])('P5: %i with %s %s is an unexpected answer', async (status, type, body) => {
    server = await startLoopbackServer((_, response) => {
      response.writeHead(status, { 'content-type': type }).end(body)
    })
    const error = await failure(createTransport({ url: server.url, token }).json({ path: ['v1', 'x'] }))
    expect(error).toMatchObject({ code: 'unexpected_answer', status })
    expect((error as ClientError).message).toContain(server.url)
  })

  it('follows no redirect: the credential is for this server', async () => {
    server = await startLoopbackServer((heard, response) => {
      if (heard.path === '/elsewhere') return sendJson(response, { stolen: true })
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const error = await failure(createTransport({ url: server.url, token }).json({ path: ['v1', 'x'] }))
    expect(error).toMatchObject({ code: 'unreachable' })
    expect(server.heard).toHaveLength(1)
  })

  it("gives a caller's own abort back as it is", async () => {
    server = await startLoopbackServer(() => {})
    const controller = new AbortController()
    const reason = new Error('changed my mind')
    const sent = createTransport({ url: server.url, token }).json({ path: ['v1'], signal: controller.signal })
    controller.abort(reason)
    expect(await failure(sent)).toBe(reason)
  })

  it.each(['', '.', '..', '\ud800'])('refuses the id %j, which would ask for something else', async (id) => {
    server = await startLoopbackServer((_, response) => sendJson(response, {}))
    const error = await failure(createTransport({ url: server.url, token }).json({ path: ['v1', id] }))
    expect(error).toBeInstanceOf(TypeError)
    expect(server.heard).toEqual([])
  })

  it.each(['nonsense', 'ftp://here', 'http://me:pw@here', 'http://here/?token=x', 'http://here/#x'])(
    'refuses the address %j and says what one looks like',
    (url) => {
      expect(() => createTransport({ url, token })).toThrow(TypeError)
      expect(() => createTransport({ url, token })).toThrow(/url must be/)
    },
  )
})

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => expect.fail(`it should have failed; it gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
}
