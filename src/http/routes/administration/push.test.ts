import { afterEach, describe, expect, it } from 'vitest'
import { type HttpGateway, openHttpGateway } from '../../../../test/fixtures/http-gateway.ts'
import { createClient } from '../../../client/index.ts'
import { openTestGateway } from '../../../gateway/fixtures/test-gateway.ts'
import type { ChannelPorts } from '../../../people/driver.ts'
import { createPush } from '../../../people/push/create-push.ts'
import { createVapid, generateVapidKey } from '../../../people/push/vapid.ts'

const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/abc'
const QUIET = { from: '22:00', to: '07:00', zone: 'Asia/Shanghai' }

let http: HttpGateway
let closeHouse: () => Promise<void>
afterEach(async () => {
  await http?.close()
  await closeHouse?.()
})

async function open(): Promise<void> {
  const setup = await openTestGateway()
  closeHouse = setup.close
  const driver = createPush({
    keeping: setup.store.settings,
    vapid: createVapid(generateVapidKey(), 'mailto:ops@example.org'),
    services: [],
    afterMs: 5000,
    eligible: async () => [],
    holds: async () => true,
    now: setup.clock.now,
    report: () => {},
  })
  http = await openHttpGateway({ around: setup, http: { push: driver.connect({} as ChannelPorts).push! } })
}

const put = (as: Parameters<HttpGateway['send']>[2], body: unknown) =>
  http.send('PUT', '/v1/push/subscription', { ...as, body })

describe('Web Push', () => {
  it('is subscribed to, seen and ended through the client', async () => {
    await open()
    const { push } = createClient({ url: http.server.address.url, token: http.tokens.ben })
    expect(await push.state()).toMatchObject({ on: true, subscriptions: [] })
    const state = await push.subscribe({ endpoint: ENDPOINT, quiet: QUIET })
    expect(state.subscriptions).toMatchObject([{ quiet: QUIET }])
    expect(await push.state()).toEqual(state)
    await push.unsubscribe({ endpoint: ENDPOINT })
    expect((await push.state()).subscriptions).toEqual([])
  })

  it('P6: belongs to whoever the credential names, whatever the body says', async () => {
    await open()
    expect((await put({ as: 'ben' }, { endpoint: ENDPOINT })).status).toBe(200)
    expect((await put({ as: 'ben' }, { endpoint: ENDPOINT, subject: 'ana' })).json.code).toBe('invalid')
    expect((await http.send('GET', '/v1/push', { as: 'eve' })).json.subscriptions).toEqual([])
    expect(
      (await http.send('DELETE', '/v1/push/subscription', { as: 'eve', body: { endpoint: ENDPOINT } }))
        .status,
    ).toBe(204)
    const mine = await http.send('GET', '/v1/push', { as: 'ben' })
    expect(mine.json.subscriptions).toHaveLength(1)
    expect(mine.text).not.toContain('fcm.googleapis.com')
    expect(await http.setup.store.settings.get('push:ben')).toMatchObject([{ endpoint: ENDPOINT }])
    expect(await http.setup.store.settings.get('push:ana')).toBeUndefined()
  })

  it('P11: no agent sees or changes any of it, and nobody without a credential', async () => {
    await open()
    for (const [method, path, body] of [
      ['GET', '/v1/push', undefined],
      ['PUT', '/v1/push/subscription', { endpoint: ENDPOINT }],
      ['DELETE', '/v1/push/subscription', { endpoint: ENDPOINT }],
    ] as const) {
      expect((await http.send(method, path, { as: 'agent-1', body })).json.code).toBe('forbidden')
      expect((await http.send(method, path, { body })).status).toBe(401)
    }
  })

  it.each([
    [{ endpoint: 'https://evil.example/x' }, 'invalid'],
    [{ endpoint: 'http://127.0.0.1:4790/v1/calls' }, 'invalid'],
    [{ endpoint: ENDPOINT, quiet: { from: '22:00', to: '07:00', zone: 'nowhere' } }, 'invalid'],
    [{ endpoint: ENDPOINT, quiet: { from: 'late', to: '07:00', zone: 'UTC' } }, 'invalid'],
    [{}, 'invalid'],
  ])('refuses %j', async (body, code) => {
    await open()
    const answer = await put({ as: 'ana' }, body)
    expect([answer.status, answer.json.code]).toEqual([400, code])
    expect((await http.send('GET', '/v1/push', { as: 'ana' })).json.subscriptions).toEqual([])
  })

  it('where it is switched off it says so, and keeps nothing', async () => {
    http = await openHttpGateway()
    expect((await http.send('GET', '/v1/push', { as: 'ana' })).json).toEqual({ on: false, subscriptions: [] })
    const answer = await put({ as: 'ana' }, { endpoint: ENDPOINT })
    expect([answer.status, answer.json.code]).toEqual([404, 'unknown_route'])
    expect(answer.json.detail).toContain('`push:` in its configuration')
    expect(await http.setup.store.settings.get('push:ana')).toBeUndefined()
  })
})
