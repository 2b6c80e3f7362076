/** The client and the server, each the real one, over a real connection. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Client, createClient, isClientError, login, type WireEvent } from '../../src/client/index.ts'
import { type HttpGateway, openHttpGateway, type Who } from '../fixtures/http-gateway.ts'

const POLICY = { allow: ['read_*'], deny: ['*_delete'] }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openDoors(): Promise<{ http: HttpGateway; as: (who: Who) => Client }> {
  const http = await openHttpGateway({ setup: { policy: POLICY } })
  closing.push(http.close)
  return { http, as: (who) => createClient({ url: http.server.address.url, token: http.tokens[who] }) }
}

let made = 0
const call = (parts: object = {}) => ({
  tool: 'deploy',
  arguments: { to: 'staging' },
  callId: `e2e-${++made}`,
  session: 's1',
  ...parts,
})

describe('the client with the server', () => {
  it('P3: a call is submitted, approved, claimed and reported', async () => {
    const { as } = await openDoors()
    const agent = as('agent-1')
    const ben = as('ben')
    expect(await ben.me()).toEqual({ subject: 'ben', role: 'approver', namespace: 'default' })

    const { verdict, request } = await agent.submit(call())
    expect(verdict.kind).toBe('ask')
    const { id, digest } = request!
    const waiting = agent.get(id, { holdMs: 30_000 })
    expect((await ben.list()).items.map((one) => one.id)).toEqual([id])
    expect(await ben.decide(id, { decision: 'approve', digest })).toMatchObject({
      decided: true,
      repeated: false,
    })
    expect((await waiting).state).toBe('approved')

    const claim = await agent.claim(id, { digest, key: 'k' })
    expect(claim).toMatchObject({ arguments: { to: 'staging' }, digest })
    expect(await agent.renew(id, { claimId: claim.claimId })).toMatchObject({ stop: false })
    const done = await agent.report(id, { claimId: claim.claimId, outcome: 'ok', summary: 'it is out' })
    expect(done).toMatchObject({ state: 'done', outcome: { kind: 'ok', summary: 'it is out' } })
  })

  it('P2: the second decision gets the first one, repeating one’s own is a success', async () => {
    const { http, as } = await openDoors()
    const { id, digest } = await http.ask()
    await as('ben').decide(id, { decision: 'reject', digest, reason: 'no' })
    expect(await as('ben').decide(id, { decision: 'reject', digest, reason: 'no' })).toMatchObject({
      repeated: true,
    })
    await expect(as('ana').decide(id, { decision: 'approve', digest })).rejects.toMatchObject({
      code: 'already_decided',
      status: 409,
      problem: { decision: { kind: 'reject', by: 'ben' } },
    })
  })

  it('P6: who may not decide, or may not see, gets the code that says so', async () => {
    const { http, as } = await openDoors()
    const { id, digest } = await http.ask()
    const approve = { decision: 'approve', digest } as const
    await expect(as('eve').decide(id, approve)).rejects.toMatchObject({ code: 'not_yours' })
    await expect(as('agent-2').get(id)).rejects.toMatchObject({ code: 'unknown_id' })
    await expect(as('agent-1').decide(id, approve)).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = createClient({ url: http.server.address.url, token: 'bmp_made-up' })
    await expect(stranger.list()).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('cancels, reveals, settles sessions and grants, and explains', async () => {
    const { http, as } = await openDoors()
    const ana = as('ana')
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const masked = await http.ask({ arguments: { token: secret } })
    expect(JSON.stringify(masked.arguments)).not.toContain(secret)
    expect(await ana.reveal(masked.id)).toEqual({ arguments: { token: secret } })
    expect(await as('agent-1').cancel(masked.id)).toMatchObject({
      recorded: true,
      request: { state: 'cancelled' },
    })

    const granted = await http.ask()
    await ana.decide(granted.id, { decision: 'approve', digest: granted.digest, scope: 'session' })
    const { items: grants } = await ana.grants()
    expect(grants).toHaveLength(1)
    expect(await ana.revokeGrant(grants[0]!.id)).toBeUndefined()

    expect(await ana.explain({ tool: 'user_delete', arguments: {} })).toMatchObject({
      verdict: { kind: 'deny' },
    })
    expect(await ana.setMode('s1', 'dontAsk')).toMatchObject({ id: 's1', mode: 'dontAsk' })
    expect(await ana.stopSession('s1')).toMatchObject({ refused: [] })
    expect(await ana.endSession('s1', { reason: 'enough' })).toMatchObject({
      ended: { by: 'ana', reason: 'enough' },
    })
    await expect(as('agent-1').submit(call())).rejects.toMatchObject({ code: 'session_ended' })
  })

  it('reads the history and the journal, and names things by any id', async () => {
    const { http, as } = await openDoors()
    const ana = as('ana')
    const session = 'a/b?c#d%ä'
    await as('agent-1').submit(call({ tool: 'read_file', session }))
    await http.setup.gateway.flush()
    expect((await ana.calls({ session })).items).toMatchObject([
      { tool: 'read_file', verdict: 'allow', session },
    ])
    expect((await ana.session(session)).id).toBe(session)
    const { items: chains } = await ana.chains()
    const { items: entries } = await ana.journal({ chain: chains[0]!.chain, after: 0, limit: 2 })
    expect(entries.map(({ n }) => n)).toEqual([1, 2])
    await expect(as('agent-1').chains()).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('P11: makes, lists and revokes credentials for an admin only; a login code works once', async () => {
    const { http, as } = await openDoors()
    const { url } = http.server.address
    const ana = as('ana')
    const { secret, token } = await ana.tokens.create({ role: 'approver', subject: 'dan', label: 'phone' })
    const dan = createClient({ url, token: secret })
    expect((await dan.me()).subject).toBe('dan')
    expect((await ana.tokens.list()).items.some(({ id }) => id === token.id)).toBe(true)
    await ana.tokens.revoke(token.id)
    await expect(dan.me()).rejects.toMatchObject({ code: 'unauthenticated' })
    await expect(as('ben').tokens.create({ role: 'agent', subject: 'x' })).rejects.toMatchObject({
      code: 'forbidden',
    })

    const { code } = await ana.tokens.createLogin({ role: 'approver', subject: 'ben' })
    const { key, subject } = await login({ url, code })
    expect(subject).toBe('ben')
    expect((await createClient({ url, token: key }).me()).subject).toBe('ben')
    await expect(login({ url, code })).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('gives renderings in the language that was asked for', async () => {
    const { http } = await openDoors()
    await http.ask()
    const { url } = http.server.address
    const titles = await Promise.all(
      ['en', 'zh'].map(async (language) => {
        const { items } = await createClient({ url, token: http.tokens.ben, language }).list()
        return items[0]?.rendering.text.split('\n')[0]
      }),
    )
    expect(titles).toEqual(['Tool: deploy', '工具：deploy'])
  })
})

describe('events from the server', () => {
  it('P7: go on where they were after the server was restarted; nothing is lost and nothing comes twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'banksman-client-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'test.db')
    let http = await openHttpGateway({ setup: { path, policy: POLICY } })
    const stop = new AbortController()
    closing.push(
      () => http.close(),
      () => stop.abort(),
    )
    const statuses: string[] = []
    // The same server under the same name, though each start takes another free port.
    const client = createClient({
      url: 'http://127.0.0.1:1',
      token: http.tokens.ben,
      fetch: (url, init) => fetch(url.replace('http://127.0.0.1:1', http.server.address.url), init),
      clock: {
        after(delayMs, callback) {
          const timer = setTimeout(callback, delayMs > 20_000 ? delayMs : 5)
          return { cancel: () => clearTimeout(timer) }
        },
      },
    })
    const stream = client.events({ signal: stop.signal, onStatus: ({ kind }) => statuses.push(kind) })
    const next = async (): Promise<WireEvent> => (await stream.next()).value as WireEvent
    const nextRequest = async () => {
      for (;;) {
        const event = await next()
        if (event.type === 'request') return event.request
        if (event.type === 'reset') throw new Error('a reset where there should be none')
      }
    }
    expect((await next()).type).toBe('reset')
    const first = await http.ask()
    expect((await nextRequest()).id).toBe(first.id)

    const { clock } = http.setup
    const waiting = nextRequest()
    await http.close()
    http = await openHttpGateway({ setup: { path, clock, policy: POLICY } })
    const second = await http.ask()
    expect((await waiting).id).toBe(second.id)
    await client.decide(second.id, { decision: 'reject', digest: second.digest })
    expect(await nextRequest()).toMatchObject({ id: second.id, state: 'rejected' })
    expect(statuses[0]).toBe('connected')
    expect(statuses.at(-1)).toBe('connected')
    expect(statuses).toContain('lost')
  })

  it('P6: end with the reason when the credential is revoked', async () => {
    const http = await openHttpGateway({ http: { settings: { keepAliveMs: 20 } } })
    closing.push(http.close)
    const { url } = http.server.address
    const ana = createClient({ url, token: http.tokens.ana })
    const { secret, token } = await ana.tokens.create({ role: 'approver', subject: 'dan' })
    const clock = {
      after(delayMs: number, callback: () => void) {
        const timer = setTimeout(callback, delayMs > 20_000 ? delayMs : 5)
        return { cancel: () => clearTimeout(timer) }
      },
    }
    const stream = createClient({ url, token: secret, clock }).events()
    await stream.next()
    const ended = (async () => {
      for await (const _ of stream);
    })().catch((error: unknown) => error)
    await ana.tokens.revoke(token.id)
    // The next keep-alive looks whether the credential still holds.
    await http.setup.clock.advance(25)
    expect(isClientError(await ended, 'unauthenticated')).toBe(true)
  })
})
