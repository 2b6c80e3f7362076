/** What several nodes do for all of them: each delivery, deadline and check once, and where it can be done. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../test/fixtures/until.ts'
import { BanksmanError } from '../core/errors.ts'
import type { Channel } from '../people/channel.ts'
import type { Store } from '../stores/store.ts'
import { createGatewayNodes, type GatewayNodes } from './fixtures/gateway-nodes.ts'
import { approve, askedRequest, type TestGateway } from './fixtures/test-gateway.ts'

let nodes: GatewayNodes
beforeEach(() => {
  nodes = createGatewayNodes()
})
afterEach(() => nodes.close())

function chat(parts: Partial<Channel> = {}): { channel: Channel; shown: string[] } {
  const shown: string[] = []
  const channel: Channel = {
    name: 'chat',
    kind: 'live',
    serves: () => true,
    async present({ request }) {
      shown.push(`present ${request.state}`)
      return undefined
    },
    async update({ request }) {
      shown.push(`update ${request.state}`)
      return undefined
    },
    ...parts,
  }
  return { channel, shown }
}

const gone = () => Promise.reject(new BanksmanError('store_unavailable', 'it is away'))
const ana = { channel: 'chat', connection: 'k1', subject: 'ana' }

/** Real time for the hints to come through the file, and the clock's for what they start. */
async function comes(setup: TestGateway, condition: () => boolean): Promise<void> {
  await until(async () => {
    await setup.clock.advance(25)
    return condition()
  })
}

describe('deliveries', () => {
  it('P1 P8: what is opened on one node is shown by the one that the person is connected to, and by no other', async () => {
    const [there, elsewhere] = [chat(), chat()]
    const a = await nodes.open({ channels: [elsewhere.channel] })
    const b = await nodes.open({ channels: [there.channel] })
    const { leave } = await b.gateway.arrive(ana)
    const request = await askedRequest(a)
    await comes(b, () => there.shown.length === 1)
    await approve(a, request)
    await comes(b, () => there.shown.length === 2)
    expect(there.shown).toEqual(['present pending', 'update approved'])
    expect(elsewhere.shown).toEqual([])
    expect([...a.faults, ...b.faults]).toEqual([])
    leave()
  })

  it('P1: what was opened while the person was on the way is shown where they arrive', async () => {
    const { channel, shown } = chat()
    const a = await nodes.open({ channels: [chat().channel] })
    const b = await nodes.open({ channels: [channel] })
    // Their presence outlasts the connection, so they are still asked here.
    const { leave } = await a.gateway.arrive(ana)
    leave()
    await askedRequest(a)
    await a.clock.advance(1000)
    expect(shown).toEqual([])
    await b.gateway.arrive({ ...ana, connection: 'k2' })
    await b.clock.advance(0)
    expect(shown).toEqual(['present pending'])
  })

  it('P1: a node that has the channel but not the person puts it back, and the other one shows it', async () => {
    const { channel, shown } = chat()
    const tries: number[] = []
    const wrong = chat({
      async present({ later }) {
        tries.push(nodes.clock.now())
        later(1500)
        return undefined
      },
    })
    const a = await nodes.open({ channels: [wrong.channel] })
    await a.gateway.arrive({ channel: 'chat', connection: 'k0', subject: 'ben' })
    await askedRequest(a)
    await a.clock.advance(0)
    expect(tries).toHaveLength(1)
    const b = await nodes.open({ channels: [channel] })
    await b.gateway.arrive(ana)
    await b.clock.advance(20_000)
    expect(shown).toEqual(['present pending'])
    expect(a.faults).toEqual([])
  })

  it('what is over, and was never shown because nobody came, does not wait for ever', async () => {
    const { channel, shown } = chat()
    const a = await nodes.open({ channels: [channel] })
    const { leave } = await a.gateway.arrive(ana)
    leave()
    const request = await askedRequest(a)
    await a.clock.advance(0)
    expect((await a.store.deliveries.list(request.id))[0]?.shownVersion).toBe(0)
    await approve(a, request)
    await a.clock.advance(60_000 * 15)
    const over = (await a.store.get(request.id))!
    expect(over.state).toBe('lapsed')
    expect((await a.store.deliveries.list(request.id))[0]?.shownVersion).toBe(over.version)
    expect(shown).toEqual([])
  })

  it('P1: who took longer than the lease is reported, and changes nothing for the one who came after', async () => {
    let letGo = () => {}
    const slow = chat({
      kind: 'durable',
      present: () =>
        new Promise((resolve) => {
          letGo = () => resolve('late')
        }),
    })
    const quick = chat({ kind: 'durable', present: async () => 'in time' })
    const a = await nodes.open({ channels: [slow.channel] })
    const request = await askedRequest(a)
    await a.clock.advance(0)
    const b = await nodes.open({ channels: [quick.channel] })
    await b.clock.advance(40_000)
    expect((await b.store.deliveries.list(request.id))[0]).toMatchObject({ reference: 'in time' })
    letGo()
    await a.clock.advance(0)
    expect((await a.store.deliveries.list(request.id))[0]).toMatchObject({ reference: 'in time' })
    expect(a.faults.map(({ error }) => String(error))).toEqual([
      expect.stringContaining('it may be there twice'),
    ])
  })
})

describe('deadlines', () => {
  it('P2: each is driven once among several nodes, and nobody runs in a circle', async () => {
    let looks = 0
    const counting = (store: Store): Store => ({
      ...store,
      due(limit) {
        looks++
        return store.due(limit)
      },
    })
    const settings = { expiresInMs: 60_000 }
    const setups: TestGateway[] = []
    for (let index = 0; index < 3; index++) setups.push(await nodes.open({ wrap: counting, settings }))
    const ids: string[] = []
    for (let index = 0; index < 300; index++)
      ids.push((await askedRequest(setups[index % 3]!, { session: `s-${index % 5}` })).id)
    looks = 0
    await nodes.clock.advance(62_000)
    const [setup] = setups
    for (const id of ids) expect(await setup!.store.get(id)).toMatchObject({ state: 'expired', version: 2 })
    const events = (await setup!.store.journal.feed(undefined, 5000)).events
    expect(events.filter(({ entry }) => entry.type === 'request.expired')).toHaveLength(300)
    expect(setups.flatMap(({ faults }) => faults)).toEqual([])
    // Three nodes, two batches, some back and forth: not a look every ten milliseconds for two seconds.
    expect(looks).toBeLessThan(60)
  })
})

describe('presence', () => {
  it('P8: one node looks for what nobody can answer, and when it has gone another does', async () => {
    const lists = [0, 0]
    const counting =
      (index: number) =>
      (store: Store): Store => ({
        ...store,
        list(query) {
          lists[index]!++
          return store.list(query)
        },
      })
    const a = await nodes.open({ channels: [chat().channel], wrap: counting(0) })
    const b = await nodes.open({ channels: [chat().channel], wrap: counting(1) })
    await nodes.clock.advance(60_000)
    lists.fill(0)
    await nodes.clock.advance(60_000)
    expect(lists.filter((count) => count > 0)).toHaveLength(1)
    const [looker, other] = lists[0]! > 0 ? [a, b] : [b, a]
    await looker.gateway.close()
    const { leave } = await other.gateway.arrive(ana)
    const request = await askedRequest(other)
    leave()
    await nodes.clock.advance(90_000)
    expect((await other.store.get(request.id))?.state).toBe('unreachable')
  })

  it('P8: an outage of the store makes nobody unreachable who was connected all the time', async () => {
    let isAway = false
    const losing = (store: Store): Store => ({
      ...store,
      list: (query) => (isAway ? gone() : store.list(query)),
      presence: {
        ...store.presence,
        renew: (presence, leaseMs) => (isAway ? gone() : store.presence.renew(presence, leaseMs)),
      },
      leases: {
        ...store.leases,
        take: (lease) => (isAway ? gone() : store.leases.take(lease)),
        list: (prefix) => (isAway ? gone() : store.leases.list(prefix)),
      },
    })
    const { channel, shown } = chat()
    const a = await nodes.open({ channels: [chat().channel], wrap: losing })
    const b = await nodes.open({ channels: [channel], wrap: losing })
    // Between two looks of the other node, which is therefore the first to look when the store is back.
    await nodes.clock.advance(9_000)
    const { leave } = await b.gateway.arrive(ana)
    await nodes.clock.advance(60_000)
    const request = await askedRequest(a)
    isAway = true
    await nodes.clock.advance(40_000)
    isAway = false
    // Before the other node has said again who is there.
    const later = await askedRequest(a)
    expect(later.state).toBe('pending')
    await nodes.clock.advance(60_000)
    for (const { id } of [request, later]) expect((await a.store.get(id))?.state).toBe('pending')
    expect(shown).toEqual(['present pending', 'present pending'])
    leave()
    await nodes.clock.advance(90_000)
    for (const { id } of [request, later]) expect((await a.store.get(id))?.state).toBe('unreachable')
    // And where nobody has been for long, that is known at once again.
    expect((await askedRequest(a)).state).toBe('unreachable')
  })

  it('P8: a request that can not be looked at keeps none of the others waiting, and is no outage', async () => {
    let isDamaged = false
    const setup = await nodes.open({
      channels: [chat().channel],
      wrap: (store) => ({
        ...store,
        sessions: {
          ...store.sessions,
          get: (id) =>
            isDamaged && id === 'damaged'
              ? Promise.reject(new BanksmanError('store_corrupt', 'it can not be read'))
              : store.sessions.get(id),
        },
      }),
    })
    const { leave } = await setup.gateway.arrive(ana)
    const [damaged, whole] = [
      await askedRequest(setup, { session: 'damaged' }),
      await askedRequest(setup, { session: 'whole' }),
    ]
    isDamaged = true
    leave()
    await nodes.clock.advance(90_000)
    expect((await setup.store.get(whole.id))?.state).toBe('unreachable')
    expect((await setup.store.get(damaged.id))?.state).toBe('pending')
    expect(JSON.stringify(setup.faults.map(({ doing }) => doing))).toContain(damaged.id)
    expect((await askedRequest(setup)).state).toBe('unreachable')
  })
})
