import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../test/fixtures/http-gateway.ts'
import { ana } from '../../gateway/fixtures/test-gateway.ts'
import { localeOf } from './locale.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway({ http: { metrics: () => 'x 1\n' } })
})
afterAll(() => http.close())

describe('a credential', () => {
  it('is needed everywhere but at /healthz and for logging in', async () => {
    expect((await http.send('GET', '/healthz')).json).toEqual({ status: 'ok', version: '1.2.3' })
    const api = (await http.send('GET', '/openapi.json', { as: 'ana' })).json
    const isPublic: string[] = []
    for (const [path, methods] of Object.entries<Record<string, { security?: unknown[] }>>(api.paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        if (security?.length === 0) isPublic.push(`${method} ${path}`)
        else {
          const answer = await http.send(method.toUpperCase(), path.replace('{id}', 'x'))
          expect([path, answer.status, answer.json.code]).toEqual([path, 401, 'unauthenticated'])
        }
      }
    }
    expect(isPublic).toEqual(['get /v1/socket', 'get /v1/streams', 'post /v1/login', 'get /healthz'])
  })

  it('is needed even to learn that there is nothing', async () => {
    expect((await http.send('GET', '/v1/nothing')).status).toBe(401)
    expect((await http.send('GET', '/v1/nothing', { as: 'agent-1' })).json).toMatchObject({
      status: 404,
      code: 'unknown_route',
    })
  })

  it('that is missing is told with how to send one', async () => {
    const { headers, json } = await http.send('GET', '/v1/me')
    expect(headers.get('www-authenticate')).toBe('Bearer realm="banksman"')
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(json).toEqual({
      type: 'urn:banksman:problem:unauthenticated',
      title: 'unauthenticated',
      status: 401,
      code: 'unauthenticated',
      detail: 'a credential is needed: send `Authorization: Bearer` and your token',
      reason: { code: 'access.none' },
    })
  })

  it.each([
    ['Basic YTpi', 'must be `Bearer` and a token'],
    ['Bearer', 'must be `Bearer` and a token'],
    ['Bearer a b', 'must be `Bearer` and a token'],
    [`Bearer ${'x'.repeat(600)}`, 'must be `Bearer` and a token'],
    ['Bearer bma_wrong', 'is unknown, has expired or was revoked'],
  ])('that is %s is refused', async (authorization, detail) => {
    const { status, headers, json } = await http.send('GET', '/v1/me', { headers: { authorization } })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect(json.detail).toContain(detail)
  })

  it.each(['token', 'access_token'])(
    'is never taken from the address (%s), nor from a cookie',
    async (name) => {
      const { status, json } = await http.send('GET', `/v1/me?${name}=${http.tokens.ana}`)
      expect([status, json.code]).toEqual([401, 'unauthenticated'])
      expect(json.detail).toContain('a token in the address is never accepted')
      expect(json.detail).not.toContain(http.tokens.ana)
      const cookie = await http.send('GET', '/v1/me', { headers: { cookie: `${name}=${http.tokens.ana}` } })
      expect(cookie.status).toBe(401)
    },
  )

  it('P6: says who someone is', async () => {
    expect((await http.send('GET', '/v1/me', { as: 'ben' })).json).toEqual({
      subject: 'ben',
      role: 'approver',
      namespace: 'default',
    })
  })

  it('no longer works once it was revoked or has expired', async () => {
    const { gateway, clock } = http.setup
    const made = await gateway.tokens.create({ role: 'approver', subject: 'zoe', expiresInMs: 60_000 }, ana)
    const headers = { authorization: `Bearer ${made.secret}` }
    expect((await http.send('GET', '/v1/me', { headers })).status).toBe(200)
    clock.jump(60_000)
    expect((await http.send('GET', '/v1/me', { headers })).status).toBe(401)

    const other = await gateway.tokens.create({ role: 'approver', subject: 'zoe' }, ana)
    const otherHeaders = { authorization: `Bearer ${other.secret}` }
    expect((await http.send('DELETE', `/v1/tokens/${other.token.id}`, { as: 'ana' })).status).toBe(204)
    expect((await http.send('GET', '/v1/me', { headers: otherHeaders })).status).toBe(401)
  })
})

describe("the reader's language", () => {
  it.each([
    [undefined, 'en'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-GB,zh;q=0.9', 'en'],
    ['fr,zh;q=0.5,en;q=0.4', 'zh'],
    ['zh;q=0,en', 'en'],
    ['zh;q=0', 'en'],
    ['*', 'en'],
  ])('of %s is %s', (header, locale) => expect(localeOf(header)).toBe(locale))

  it('is one that we have, whatever is sent', () => {
    fc.assert(fc.property(fc.string(), (header) => ['en', 'zh'].includes(localeOf(header))))
  })
})
