import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway()
})
afterAll(() => http.close())

/** `fetch` does not let us lie about who we are. */
async function lie(method: string, path: string, headers: Record<string, string>, body?: string) {
  const sent = request({ host: '127.0.0.1', port: http.server.address.port, method, path, headers })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return { status: response.statusCode as number, headers: response.headers, json: JSON.parse(text) }
}

const authorization = () => `Bearer ${http.tokens.ben}`

describe('Host', () => {
  it.each(['evil.example', 'evil.example:4790', '127.0.0.1', '127.0.0.1:1'])(
    'of another name (DNS rebinding) is refused: %s',
    async (host) => {
      const { status, json } = await lie('GET', '/v1/me', { host, authorization: authorization() })
      expect([status, json.code]).toEqual([421, 'wrong_host'])
      expect(json.detail).toContain(http.host)
    },
  )

  it('of another name is refused before anything else, at the public routes too', async () => {
    expect((await lie('GET', '/healthz', { host: 'evil.example' })).status).toBe(421)
    expect((await lie('POST', '/v1/login', { host: 'evil.example' }, '{}')).status).toBe(421)
  })

  it('is not case-sensitive', async () => {
    const host = `LocalHost:${http.server.address.port}`
    expect((await lie('GET', '/healthz', { host })).status).toBe(200)
  })
})

describe('Origin', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'of a page of others is refused, for reading too: %s',
    async (origin) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
        const { status, json, headers } = await lie(method, '/v1/me', {
          host: http.host,
          origin,
          authorization: authorization(),
        })
        expect([status, json.code]).toEqual([403, 'foreign_origin'])
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )

  it('of a page of others gets no decision in, whatever the content type (cross-site POST)', async () => {
    const { id, digest } = await http.ask()
    const body = JSON.stringify({ decision: 'approve', digest })
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      const headers = {
        host: http.host,
        origin: 'https://evil.example',
        'content-type': type,
        authorization: authorization(),
      }
      expect((await lie('POST', `/v1/requests/${id}/decisions`, headers, body)).status).toBe(403)
    }
    expect((await http.send('GET', `/v1/requests/${id}`, { as: 'ben' })).json.state).toBe('pending')
  })

  it('of our own page is welcome, with TLS in front too', async () => {
    for (const scheme of ['http', 'https']) {
      const origin = `${scheme}://${http.host}`
      const { status } = await lie('GET', '/v1/me', {
        host: http.host,
        origin,
        authorization: authorization(),
      })
      expect(status).toBe(200)
    }
  })

  it('of a page of others opens no WebSocket', async () => {
    await expect(http.socket({ origin: 'https://evil.example' }).opened).rejects.toThrow('403')
    await expect(http.socket({ origin: 'http://127.0.0.1:1' }).opened).rejects.toThrow('403')
    const own = http.socket({ origin: `http://${http.host}` })
    await own.opened
    own.socket.terminate()
  })
})

it('a URL that is too long is refused', async () => {
  const { status, json } = await http.send('GET', `/v1/requests?cursor=${'x'.repeat(9000)}`, { as: 'ben' })
  expect([status, json.code]).toEqual([413, 'too_large'])
})

it('answers are not for caches, frames or other sites', async () => {
  const { headers } = await http.send('GET', '/v1/me', { as: 'ben' })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

it.each([
  [
    'POST',
    '/v1/requests//claim',
    '{id} is empty in /v1/requests//claim; write it like /v1/requests/{id}/claim',
  ],
  ['GET', '/v1/requests/', '{id} is empty in /v1/requests/; write it like /v1/requests/{id}'],
])('%s %s, as when a variable was not set, is told what is missing', async (method, path, detail) => {
  const { status, json } = await http.send(method, path, {
    as: 'agent-1',
    ...(method === 'POST' ? { body: {} } : {}),
  })
  expect([status, json.code]).toEqual([404, 'unknown_route'])
  expect(json.detail).toContain(detail)
})

it('a method that a path does not take is told which it takes', async () => {
  const { status, headers, json } = await http.send('PUT', '/v1/requests', { as: 'ben', body: {} })
  expect([status, json.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET'])
  expect((await http.send('PATCH', '/v1/calls', { as: 'ben', body: {} })).headers.get('allow')).toBe(
    'POST, GET',
  )
})
