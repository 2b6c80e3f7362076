/** A server without an agent, with a chat service that signs what it sends: registered, configured, mounted and answered. */
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import type { Actor } from '../../core/session.ts'
import { makePolicyServer, type PolicyServer } from '../policy/fixtures/policy-server.ts'
import { type RelayService, relay, startRelayService } from './fixtures/relay.ts'
import { CHANNELS } from './registrations.ts'

let setup: PolicyServer
let service: RelayService
afterEach(async () => {
  await setup.close()
  await service.close()
})

async function open(more = ''): Promise<string> {
  setup = makePolicyServer()
  service = await startRelayService()
  setup.trust(`
people:
  ben: { groups: [approvers], relay: acct_ben }
  eve: { relay: 417 }
relay: { url: "${service.url}", tenant: T1, secretEnv: RELAY_SECRET }
${more}`)
  const environment = { ...setup.environment, RELAY_SECRET: service.secret }
  await setup.start({ channels: [...CHANNELS, relay], environment })
  return setup.server.url
}

async function ask(): Promise<string> {
  const shown = service.cards.length
  const call = { tool: 'deploy', arguments: {}, callId: `c${shown}`, session: 's' }
  const bot: Actor = { subject: 'bot', role: 'agent', via: 'test' }
  const { request } = await setup.server.gateway.review(call, bot)
  await until(() => service.cards.length > shown)
  return request!.id
}

const requestOf = (id: string) => setup.server.gateway.get(id, setup.server.self)
const stateOf = async (id: string) => (await requestOf(id)).state

async function entriesOf(type: string) {
  const client = setup.as('ana')
  const { items: chains } = await client.chains()
  const pages = await Promise.all(chains.map(({ chain }) => client.journal({ chain, limit: 200 })))
  return pages
    .flatMap(({ items }) => items)
    .filter((entry) => entry.type === type)
    .map(({ body }) => JSON.parse(body))
}

describe('a chat service of a server without an agent', () => {
  it('P6 P10: takes a click, and the journal has who it was and what proved it', async () => {
    const url = await open()
    const id = await ask()
    expect(await (await service.click(url, {})).json()).toEqual({ ok: true, state: 'approved' })
    expect((await requestOf(id)).progress.decision).toMatchObject({ by: 'ben', via: 'relay' })
    expect(await entriesOf('request.decided')).toMatchObject([
      {
        by: 'ben',
        via: 'relay',
        account: { service: 'relay', tenant: 'T1', account: 'acct_ben', proof: { scheme: 'relay-v1' } },
      },
    ])
    await until(() => service.cards.at(-1)?.state === 'approved')
  })

  it('P6: tells an account of nobody so, and the request stays pending', async () => {
    const url = await open()
    const id = await ask()
    for (const stranger of [{ account: 'acct_x' }, { tenant: 'T2' }]) {
      expect(await (await service.click(url, stranger)).json()).toMatchObject({
        ok: false,
        code: 'unlinked_account',
      })
    }
    expect(await (await service.click(url, { account: '417' })).json()).toMatchObject({ code: 'not_yours' })
    expect(await stateOf(id)).toBe('pending')
    expect(await entriesOf('attempt.refused')).toMatchObject([
      { on: id, code: 'unlinked_account', account: { account: 'acct_x' } },
      { on: id, code: 'unlinked_account', account: { tenant: 'T2' } },
      { on: id, code: 'not_yours', by: 'eve' },
    ])
  })

  it('P6: hears nothing of a click that another has signed', async () => {
    const url = await open()
    const id = await ask()
    expect((await service.click(url, { signedWith: 'another secret' })).status).toBe(401)
    expect(await stateOf(id)).toBe('pending')
  })

  it('answers a challenge with text, and refuses to pass on what is said', async () => {
    const url = await open()
    const challenge = await service.send(url, { type: 'challenge', challenge: '<b>c</b>' })
    expect(await challenge.text()).toBe('<b>c</b>')
    expect(challenge.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await (await service.send(url, { type: 'message', text: 'hello' })).json()).toMatchObject({
      ok: false,
      code: 'unknown_route',
      detail: expect.stringContaining('no agent is configured'),
    })
  })

  it('other chats are open too, without an agent', async () => {
    const url = await open('pet: {}\nreactPlus: {}\n')
    expect(await (await fetch(`${url}/pet/init_status`)).json()).toMatchObject({ initialized: true })
    const said = await fetch(`${url}/api/agent/chat/react-plus/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${setup.tokens.ben}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
    expect([said.status, ((await said.json()) as { detail: string }).detail]).toEqual([
      404,
      expect.stringContaining('no agent is configured'),
    ])
  })
})
