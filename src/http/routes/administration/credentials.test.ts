import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { MAX_DURATION_MS } from '../../../core/time/duration.ts'
import * as identityWire from '../../../wire/identity.ts'
import * as pageWire from '../../../wire/page.ts'

let http: HttpGateway
beforeAll(async () => {
  http = await openHttpGateway()
})
afterAll(() => http.close())

describe('tokens', () => {
  it('are made, listed without their secrets, and revoked, by an admin', async () => {
    const body = { role: 'agent', subject: 'new-agent', label: 'ci', expiresInMs: 60_000 }
    const made = await http.send('POST', '/v1/tokens', { as: 'ana', body })
    expect(made.status).toBe(201)
    expect(made.json.token).toMatchObject({
      role: 'agent',
      subject: 'new-agent',
      label: 'ci',
      createdBy: 'ana',
    })
    expect(identityWire.credential.parse(made.json)).toEqual(made.json)
    const headers = { authorization: `Bearer ${made.json.secret}` }
    expect((await http.send('GET', '/v1/me', { headers })).json.subject).toBe('new-agent')

    const list = await http.send('GET', '/v1/tokens', { as: 'ana' })
    expect(list.json.items).toHaveLength(6)
    expect(list.text).not.toContain('secret')
    expect(pageWire.pageOf(identityWire.token).parse(list.json)).toEqual(list.json)

    const path = `/v1/tokens/${made.json.token.id}`
    expect((await http.send('DELETE', path, { as: 'ana' })).status).toBe(204)
    expect((await http.send('DELETE', path, { as: 'ana' })).status).toBe(204)
    expect((await http.send('GET', '/v1/me', { headers })).status).toBe(401)
    expect((await http.send('DELETE', '/v1/tokens/none', { as: 'ana' })).json.code).toBe('unknown_id')
  })

  it('P5: of a time that is no duration, none is made, and the others go on', async () => {
    const before = (await http.send('GET', '/v1/tokens', { as: 'ana' })).json.items.length
    const much = MAX_DURATION_MS
    for (const expiresInMs of [0, -1, 1.5, much + 1, 8.64e15, 2 ** 53, 1e18, 1e308, '60000', null, true]) {
      const body = { role: 'agent', subject: 'late', expiresInMs }
      const { status, json } = await http.send('POST', '/v1/tokens', { as: 'ana', body })
      expect([status, json.code], String(expiresInMs)).toEqual([400, 'invalid'])
    }
    const made = await http.send('POST', '/v1/tokens', {
      as: 'ana',
      body: { role: 'agent', subject: 'late', expiresInMs: much },
    })
    expect(made.status).toBe(201)
    expect((await http.send('DELETE', `/v1/tokens/${made.json.token.id}`, { as: 'ana' })).status).toBe(204)
    expect((await http.send('GET', '/v1/tokens', { as: 'ana' })).json.items).toHaveLength(before + 1)
  })

  it("P11: an agent's or an approver's credential makes, lists and revokes none", async () => {
    for (const as of ['agent-1', 'ben'] as const) {
      for (const [method, path, body] of [
        ['POST', '/v1/tokens', { role: 'admin', subject: 'ana' }],
        ['GET', '/v1/tokens', undefined],
        ['DELETE', '/v1/tokens/x', undefined],
        ['POST', '/v1/login/codes', { subject: 'ana', role: 'admin' }],
      ] as const) {
        const { status, json } = await http.send(method, path, { as, body })
        expect([status, json.code]).toEqual([403, 'forbidden'])
      }
    }
  })

  it.each([
    [{ role: 'king', subject: 'x' }, '/role'],
    [{ role: 'agent' }, '/subject'],
    [{ role: 'agent', subject: 'x', secret: 'mine' }, '/secret'],
    [{ role: 'agent', subject: 'x', expiresInMs: '1' }, '/expiresInMs'],
  ])('that make no sense are refused: %j', async (body, pointer) => {
    const { status, json } = await http.send('POST', '/v1/tokens', { as: 'ana', body })
    expect([status, json.code, json.pointer]).toEqual([400, 'invalid', pointer])
  })
})

describe('logging in', () => {
  it('exchanges a code for a key, once', async () => {
    const code = await http.send('POST', '/v1/login/codes', {
      as: 'ana',
      body: { subject: 'ben', role: 'approver' },
    })
    expect(code.status).toBe(201)
    expect(identityWire.loginCode.parse(code.json)).toEqual(code.json)
    const login = () => http.send('POST', '/v1/login', { body: { code: code.json.code } })
    const { json } = await login()
    expect(json).toMatchObject({ subject: 'ben', role: 'approver', namespace: 'default' })
    expect(identityWire.login.parse(json)).toEqual(json)
    const me = await http.send('GET', '/v1/me', { headers: { authorization: `Bearer ${json.key}` } })
    expect(me.json.subject).toBe('ben')
    expect(me.headers.get('set-cookie')).toBeNull()
    const again = await login()
    expect([again.status, again.json.code]).toEqual([401, 'unauthenticated'])
  })

  it('with a code that is none, or with a token for a code, is refused; a code is no token', async () => {
    for (const code of ['bml_wrong', http.tokens.ana]) {
      expect((await http.send('POST', '/v1/login', { body: { code } })).status).toBe(401)
    }
    const { json } = await http.send('POST', '/v1/login/codes', {
      as: 'ana',
      body: { subject: 'ana', role: 'admin' },
    })
    expect(
      (await http.send('GET', '/v1/me', { headers: { authorization: `Bearer ${json.code}` } })).status,
    ).toBe(401)
    expect((await http.send('POST', '/v1/login', { body: {} })).json).toMatchObject({
      code: 'invalid',
      pointer: '/code',
    })
  })
})
