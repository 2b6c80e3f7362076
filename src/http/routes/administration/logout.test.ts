import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createClient } from '../../../client/index.ts'
import { ana, ben } from '../../../gateway/fixtures/test-gateway.ts'

const CHAT = '/api/agent/chat'

let http: HttpGateway
afterEach(() => http.close())

async function logIn(subject = 'ben'): Promise<{ key: string; id: string; cookie: string }> {
  const { tokens } = http.setup.gateway
  const { secret } = await tokens.createLogin({ subject, role: 'approver' }, ana)
  const { json, headers } = await http.send('POST', '/v1/login', { body: { code: secret } })
  const cookie = headers.get('set-cookie')?.split(';')[0]?.split('=')[1] ?? ''
  return { key: json.key, id: (await tokens.authenticate(json.key))!.id, cookie }
}

const logOut = (key: string) =>
  http.send('POST', '/v1/logout', { body: {}, headers: { authorization: `Bearer ${key}` } })

async function revocations(): Promise<unknown[]> {
  const { journal } = http.setup.store
  const chains = await journal.chains()
  const entries = await Promise.all(chains.map(({ chain }) => journal.read(chain, 0, 1000)))
  return entries
    .flat()
    .filter(({ type }) => type === 'token.revoked')
    .map(({ body }) => JSON.parse(body))
}

describe('logging out', () => {
  it('makes the key worthless and its cookie too, on the record, and clears the cookie', async () => {
    http = await openHttpGateway({ http: { cookie: { path: CHAT } } })
    const [mine, other] = [await logIn(), await logIn()]
    const { status, headers, text } = await logOut(mine.key)
    expect([status, text]).toEqual([204, ''])
    expect(headers.get('set-cookie')).toMatch(/^banksman_chat=; Max-Age=0; Path=\/api\/agent\/chat/)
    expect((await logOut(mine.key)).status).toBe(401)
    const { tokens } = http.setup.gateway
    expect(await tokens.authenticateCookie(mine.cookie)).toBe(undefined)
    const revoked = (await tokens.list(ana)).filter(({ revokedAt }) => revokedAt !== undefined)
    expect(
      revoked
        .filter(({ use }) => use !== 'login')
        .map(({ use }) => use)
        .sort(),
    ).toEqual(['bearer', 'cookie'])
    expect(await revocations()).toMatchObject([
      { token: mine.id, by: 'ben', via: 'http' },
      { by: 'ben', via: 'http' },
    ])
    // The same person elsewhere stays logged in.
    expect((await tokens.authenticate(other.key))?.subject).toBe('ben')
    expect((await tokens.authenticateCookie(other.cookie))?.subject).toBe('ben')
  })

  it('goes by the client, where no cookie is left', async () => {
    http = await openHttpGateway()
    const { key } = await logIn()
    const client = createClient({ url: `http://${http.host}`, token: key })
    expect(await client.logOut()).toBe(undefined)
    await expect(client.me()).rejects.toMatchObject({ code: 'unauthenticated' })
    expect((await logOut((await logIn()).key)).headers.get('set-cookie')).toBeNull()
  })

  it('leaves a token that was made by hand as it is, and says what to do, whatever its label', async () => {
    http = await openHttpGateway()
    const { tokens } = http.setup.gateway
    const made = await tokens.create({ role: 'admin', subject: 'ana', label: 'browser' }, ana)
    const { status, json } = await logOut(made.secret)
    expect([status, json.code]).toEqual([403, 'forbidden'])
    expect(json.detail).toContain(`banksman tokens revoke ${made.token.id}`)
    expect(await tokens.authenticate(made.secret)).toBeDefined()
    expect(await revocations()).toEqual([])
  })

  it("P6, P11: is not for an agent's token, and takes no one else's key", async () => {
    http = await openHttpGateway()
    const { status, json } = await logOut(http.tokens['agent-1'])
    expect([status, json.code]).toEqual([403, 'forbidden'])
    const { id, key } = await logIn('eve')
    const { tokens } = http.setup.gateway
    for (const actor of [ben, ana, { ...ben, subject: 'eve', role: 'agent' as const }]) {
      await expect(tokens.logOut(id, actor)).rejects.toMatchObject({ code: 'unknown_id' })
    }
    await expect(tokens.logOut('none', ana)).rejects.toMatchObject({ code: 'unknown_id' })
    expect(await tokens.authenticate(key)).toBeDefined()
    const body = { token: id }
    expect((await http.send('POST', '/v1/logout', { as: 'ana', body })).json).toMatchObject({
      code: 'invalid',
      pointer: '/token',
    })
    expect((await http.send('POST', '/v1/logout', { body: {} })).status).toBe(401)
  })
})
