import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/fixtures/until.ts'
import { approve, askedRequest, openTestGateway } from '../../gateway/fixtures/test-gateway.ts'
import type { Channel } from '../../people/channel.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import { NOON, openPushGateway, type PushGateway } from './fixtures/push-gateway.ts'

let push: PushGateway
afterEach(() => push?.close())

async function open(options?: Parameters<typeof openPushGateway>[0]): Promise<void> {
  push = await openPushGateway(options)
}

describe('through the gateway', () => {
  const waitFor = async (count: number) => {
    await until(() => push.service.received.length >= count)
    expect(push.pushed()).toHaveLength(count)
  }

  it('P1: what waits is pushed after a while, also when the process ended in between', async () => {
    await open({ through: true })
    await push.subscribe('ana')
    const request = await askedRequest(push.setup)
    await push.clock.advance(0)
    expect(await push.setup.store.deliveries.list(request.id)).toMatchObject([
      { channel: 'push', shownVersion: 0 },
    ])
    await push.restart()
    await push.clock.advance(15_000)
    await waitFor(1)
    await approve(push.setup, request)
    await push.clock.advance(60_000)
    expect(push.pushed()).toEqual(['ana'])
    expect(push.setup.faults).toEqual([])
  })

  it('P8: a push alone makes nobody reachable: it can not be answered', async () => {
    const only: Channel = { name: 'push', kind: 'durable', onlyTells: true, serves: () => true }
    const live: Channel = { name: 'socket', kind: 'live', pull: true, serves: () => true }
    for (const [beside, expected] of [
      [[], { state: 'unreachable' }],
      [[live], { state: 'pending', reach: 'live' }],
      [[createInboxChannel()], { state: 'pending', reach: 'durable' }],
    ] as const) {
      const setup = await openTestGateway({ channels: [only, ...beside] })
      await setup.gateway.arrive({ channel: 'socket', connection: '1', subject: 'ana' })
      expect(await askedRequest(setup)).toMatchObject(expected)
      await setup.close()
    }
  })
})

describe('the key', () => {
  it('is made at the first use, kept, and readable by its owner alone', async () => {
    await open()
    const { publicKey } = await push.subscribing().state('ana')
    expect(statSync(push.keyFile).mode & 0o777).toBe(0o600)
    expect(readFileSync(push.keyFile, 'utf8')).toContain('PRIVATE KEY')
    await push.openAgain()
    expect((await push.subscribing().state('ana')).publicKey).toBe(publicKey)
  })

  it('one that is no key is an error that names the file', async () => {
    await open()
    writeFileSync(push.keyFile, 'nonsense')
    await expect(push.openAgain()).rejects.toThrow(/push-key\.pem.*P-256/)
  })
})

describe('subscribing', () => {
  it.each([
    [{ endpoint: 'http://169.254.169.254/x' }, /known push service/],
    [{ quiet: { from: '25:00', to: '07:00', zone: 'UTC' } }, /22:00/],
    [{ quiet: { from: '7:00', to: '08:00', zone: 'UTC' } }, /22:00/],
    [{ quiet: { from: '07:00', to: '07:00', zone: 'UTC' } }, /different times/],
    [{ quiet: { from: '22:00', to: '07:00', zone: 'Mars/Olympus' } }, /name of a time zone/],
  ])('refuses %j', async (parts, says) => {
    await open()
    const input = { endpoint: push.service.endpoint('a'), ...parts }
    await expect(push.subscribing().subscribe({ subject: 'ana', token: 't' }, input)).rejects.toThrow(says)
    expect((await push.subscribing().state('ana')).subscriptions).toEqual([])
  })

  it('shows no endpoint to anybody, and forgets on request', async () => {
    await open()
    await push.subscribe('ana', 'secret-address', ['22:00', '07:00'])
    const state = await push.subscribing().state('ana')
    expect(state).toEqual({
      on: true,
      publicKey: expect.stringMatching(/^[\w-]{87}$/),
      subscriptions: [
        {
          id: expect.stringMatching(/^[0-9a-f]{64}$/),
          createdAt: new Date(NOON).toISOString(),
          quiet: { from: '22:00', to: '07:00', zone: 'UTC' },
        },
      ],
    })
    expect(JSON.stringify(state)).not.toContain('secret-address')
    await push.subscribing().unsubscribe('ben', push.service.endpoint('secret-address'))
    expect((await push.subscribing().state('ana')).subscriptions).toHaveLength(1)
    await push.subscribing().unsubscribe('ana', push.service.endpoint('secret-address'))
    await push.subscribing().unsubscribe('ana', push.service.endpoint('secret-address'))
    expect((await push.subscribing().state('ana')).subscriptions).toEqual([])
  })
})
