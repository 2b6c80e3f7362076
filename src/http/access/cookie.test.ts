import { afterEach, describe, expect, it } from 'vitest'
import {
  type HttpGateway,
  type HttpGatewayOptions,
  openHttpGateway,
} from '../../../test/fixtures/http-gateway.ts'
import { agent, ana } from '../../gateway/fixtures/test-gateway.ts'
import type { CredentialDoor, DoorCaller, SocketDoor } from '../../people/door.ts'

let http: HttpGateway
afterEach(() => http.close())

const CHAT = '/api/agent/chat'

/** Doors, of which one takes a cookie, and the callers who came in. */
async function open(options: HttpGatewayOptions['http'] = { cookie: { path: CHAT } }): Promise<DoorCaller[]> {
  const callers: DoorCaller[] = []
  const door = (path: string, credential: CredentialDoor['credential']): CredentialDoor => ({
    kind: 'credential',
    channel: 'chat',
    method: 'POST',
    path,
    summary: 'Say something.',
    credential,
    maxBodyBytes: 1000,
    async answer({ caller }) {
      callers.push(caller)
      return { kind: 'json', status: 200, body: { subject: caller.actor.subject } }
    },
  })
  const socket: SocketDoor = {
    kind: 'socket',
    channel: 'pet',
    paths: ['/pet/ws'],
    summary: 'Talk.',
    maxFrameBytes: 1000,
    helloWithinMs: 1000,
    open: (wire, visit) => ({
      hear: (text) =>
        void visit.identify(text ?? '').then((caller) => wire.send(JSON.stringify({ is: caller ?? null }))),
      gone() {},
    }),
  }
  const doors = [door(`${CHAT}/stream`, 'bearer_or_cookie'), door(`${CHAT}/keys-only`, 'bearer'), socket]
  http = await openHttpGateway({ http: { doors, ...options } })
  return callers
}

async function login(subject = 'ben'): Promise<{ key: string; cookie: string; header: string | null }> {
  const { secret } = await http.setup.gateway.tokens.createLogin({ subject, role: 'approver' }, ana)
  const { json, headers } = await http.send('POST', '/v1/login', { body: { code: secret } })
  const header = headers.get('set-cookie')
  return { key: json.key, cookie: header?.split(';')[0] ?? '', header }
}

const say = (headers: Record<string, string>, path = `${CHAT}/stream`) =>
  http.send('POST', path, { body: {}, headers })

describe('the cookie', () => {
  it('is left by a login where that is configured, for scripts to stay out of and for its path alone', async () => {
    await open()
    const { header, key, cookie } = await login()
    expect(header).toMatch(
      /^banksman_chat=bmc_[\w-]{43}; Max-Age=7776000; Path=\/api\/agent\/chat; HttpOnly; SameSite=Strict$/,
    )
    expect(cookie).not.toContain(key)
  })

  it('is not left, and not taken, where it is not', async () => {
    const callers = await open({})
    expect((await login()).header).toBeNull()
    const { tokens } = http.setup.gateway
    const key = await tokens.authenticate(http.tokens.ben)
    const { secret } = await tokens.createCookie(key!)
    expect((await say({ cookie: `banksman_chat=${secret}` })).status).toBe(401)
    expect(callers).toEqual([])
  })

  it('lets the person in at a door that takes it, and says that it was a cookie', async () => {
    const callers = await open()
    const { cookie, key } = await login()
    expect((await say({ cookie: `other=1; ${cookie}` })).json).toEqual({ subject: 'ben' })
    const keyToken = await http.setup.gateway.tokens.authenticate(key)
    expect(callers[0]).toMatchObject({
      credential: 'cookie',
      actor: { subject: 'ben', role: 'approver' },
      token: expect.stringMatching(/^tok_/),
    })
    expect(callers[0]!.token).not.toBe(keyToken!.id)
    expect(await callers[0]!.stillHolds()).toBe(true)
    // A key in the header is a key.
    expect((await say({ authorization: `Bearer ${key}`, cookie })).status).toBe(200)
    expect(callers[1]!.credential).toBe('bearer')
  })

  it.each([
    ['a cookie that is none', { cookie: 'banksman_chat=bmc_wrong' }, 401],
    ['an empty one', { cookie: 'banksman_chat=' }, 401],
    ['one of another name', { cookie: 'banksman=CODE' }, 401],
    ['a wrong key beside it', { authorization: 'Bearer bmp_wrong', cookie: 'COOKIE' }, 401],
    ['no bearer beside it', { authorization: 'Basic eDp5', cookie: 'COOKIE' }, 401],
    ['the key itself as a cookie', { cookie: 'banksman_chat=KEY' }, 401],
    ['the cookie as a key', { authorization: 'Bearer SECRET' }, 401],
    ['an agent’s token as a cookie', { cookie: 'banksman_chat=AGENT' }, 401],
    ['a page of another site', { cookie: 'COOKIE', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another port', { cookie: 'COOKIE', 'sec-fetch-site': 'same-site' }, 403],
    ['a navigation', { cookie: 'COOKIE', 'sec-fetch-site': 'none' }, 403],
    ['another origin', { cookie: 'COOKIE', origin: 'http://127.0.0.1:1' }, 403],
    ['an opaque origin', { cookie: 'COOKIE', origin: 'null' }, 403],
  ])('P6: lets nobody in with %s', async (_, headers, status) => {
    const callers = await open()
    const { cookie, key } = await login()
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value
        .replace('COOKIE', cookie)
        .replace('KEY', key)
        .replace('SECRET', cookie.split('=')[1]!)
        .replace('AGENT', http.tokens['agent-1']),
    ])
    expect((await say(Object.fromEntries(filled))).status).toBe(status)
    expect(callers).toEqual([])
  })

  it('P6: lets nobody in at a door that takes keys only, nor over a socket', async () => {
    const callers = await open()
    const { cookie } = await login()
    expect((await say({ cookie }, `${CHAT}/keys-only`)).status).toBe(401)
    expect(callers).toEqual([])
    const reader = http.socket({ path: '/pet/ws' })
    await reader.opened
    reader.send(cookie.split('=')[1])
    expect(await reader.next()).toEqual({ is: null })
  })

  it('P6: can do nothing on any route of ours, as a cookie or as a token', async () => {
    await open()
    const { cookie } = await login()
    const { json: api } = await http.send('GET', '/openapi.json', { as: 'ana' })
    const ours = Object.entries(api.paths as Record<string, Record<string, { security?: unknown[] }>>)
      .filter(([path]) => !path.startsWith(CHAT))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({ path, method, security })),
      )
      .filter(({ security }) => security === undefined)
    expect(ours.length).toBeGreaterThan(25)
    for (const { path, method } of ours) {
      const filled = path.replaceAll(/\{\w+\}/g, 'x')
      const secret = cookie.split('=')[1]!
      for (const headers of [{ cookie }, { authorization: `Bearer ${secret}` }]) {
        const { status } = await http.send(method.toUpperCase(), filled, { headers })
        expect([path, status]).toEqual([path, 401])
      }
    }
  })

  it('P6: ends with the key that it was made for, revoked or expired', async () => {
    const callers = await open()
    const { cookie, key } = await login()
    const { tokens } = http.setup.gateway
    expect((await say({ cookie })).status).toBe(200)
    await tokens.revoke((await tokens.authenticate(key))!.id, ana)
    expect((await say({ cookie })).status).toBe(401)
    expect(await callers[0]!.stillHolds()).toBe(false)
    const second = await login()
    expect((await say({ cookie: second.cookie })).status).toBe(200)
    http.setup.clock.jump(90 * 24 * 60 * 60_000)
    expect((await say({ cookie: second.cookie })).status).toBe(401)
  })

  it('is listed and revoked like any credential, without its secret or its key’s', async () => {
    await open()
    const { cookie } = await login()
    const { json, text } = await http.send('GET', '/v1/tokens', { as: 'ana' })
    const listed = json.items.find((token: { use: string }) => token.use === 'cookie')
    expect(listed).toMatchObject({ subject: 'ben', role: 'approver', label: 'chat page' })
    expect(text).not.toMatch(/hash/i)
    await http.send('DELETE', `/v1/tokens/${listed.id}`, { as: 'ana' })
    expect((await say({ cookie })).status).toBe(401)
  })

  it('P11: is never an agent’s', async () => {
    await open()
    const { tokens } = http.setup.gateway
    const key = await tokens.authenticate(http.tokens['agent-1'])
    await expect(tokens.createCookie(key!)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      tokens.createLogin({ subject: agent.subject, role: 'agent' as 'admin' }, agent),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('is in the description of the doors that take it, and of no other', async () => {
    await open()
    const { json: api } = await http.send('GET', '/openapi.json', { as: 'ana' })
    expect(api.paths[`${CHAT}/stream`].post.security).toEqual([{ token: [] }, { cookie: [] }])
    expect(api.paths[`${CHAT}/keys-only`].post.security).toBeUndefined()
    expect(api.components.securitySchemes.cookie).toMatchObject({ in: 'cookie', name: 'banksman_chat' })
  })
})
