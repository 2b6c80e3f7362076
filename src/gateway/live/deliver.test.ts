import { afterEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../people/channel.ts'
import { createInboxChannel } from '../../people/inbox/channel.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { createFakeClock } from '../../testing/fake-clock.ts'
import {
  aCall,
  approve,
  ask,
  askedRequest,
  openTestGateway,
  policyFrom,
  type TestGateway,
} from '../fixtures/test-gateway.ts'
import { createConnections } from './connections.ts'
import { createRequestDeliveries } from './deliver.ts'

let setup: TestGateway
afterEach(() => setup?.close())

describe('looking', () => {
  it.each([0, 1, 2, 3, 4, 5])(
    'P1: a change that is told of %i steps after the last look is not left for later',
    async (steps) => {
      let looks = 0
      const clock = createFakeClock()
      const host = { clock, report: () => {} }
      const store = openMemoryStore({ now: () => clock.now() })
      const counted: typeof store.deliveries = {
        ...store.deliveries,
        async take() {
          if (++looks === 1) void tellAfter(steps)
          return []
        },
      }
      async function tellAfter(count: number): Promise<void> {
        for (let step = 0; step < count; step++) await undefined
        deliveries.look()
      }
      const deliveries = createRequestDeliveries({
        channels: [{ name: 'chat', kind: 'durable', serves: () => true, present: async () => undefined }],
        connections: createConnections({ store, host, presenceMs: 30_000 }),
        policy: () => policyFrom(() => ask('deploys')),
        store: { ...store, deliveries: counted },
        host,
      })
      deliveries.start()
      await clock.advance(0)
      expect(looks).toBe(2)
      await deliveries.stop()
    },
  )
})

describe('presenting', () => {
  function chat(parts: Partial<Channel> = {}): { channel: Channel; shown: string[] } {
    const shown: string[] = []
    const channel: Channel = {
      name: 'chat',
      kind: 'durable',
      serves: () => true,
      async present({ request }) {
        shown.push(`present ${request.state}`)
        return { message: 1 }
      },
      async update({ request, reference }) {
        shown.push(`update ${request.state} ${JSON.stringify(reference)}`)
        return reference
      },
      ...parts,
    }
    return { channel, shown }
  }

  it('P1: an answer that arrives inside present() is not lost', async () => {
    const { channel } = chat({
      async present({ request }) {
        await approve(setup, request)
        return undefined
      },
    })
    setup = await openTestGateway({ channels: [channel] })
    expect(await setup.gateway.guard(aCall(), () => 'ran')).toMatchObject({ kind: 'ran', value: 'ran' })
  })

  it('P1: a channel that finds it too early is asked again when it said, and it is no fault', async () => {
    const tries: number[] = []
    const { channel, shown } = chat({
      async present({ request, later }) {
        tries.push(setup.clock.now() - request.createdAt)
        if (tries.length < 3) later(20_000)
        return undefined
      },
    })
    setup = await openTestGateway({ channels: [channel] })
    const request = await askedRequest(setup)
    await setup.clock.advance(0)
    setup = await setup.restart()
    await setup.clock.advance(60_000)
    expect(tries.length).toBe(3)
    expect(tries[1]).toBeGreaterThanOrEqual(20_000)
    expect(setup.faults).toEqual([])
    await approve(setup, request)
    await setup.clock.advance(0)
    expect(shown).toEqual(['update approved undefined'])
  })

  it('P1: what was shown is brought up to date when it is answered elsewhere', async () => {
    const { channel, shown } = chat()
    setup = await openTestGateway({ channels: [channel, createInboxChannel()] })
    const request = await askedRequest(setup)
    await setup.clock.advance(0)
    await approve(setup, request)
    await setup.clock.advance(0)
    expect(shown).toEqual(['present pending', 'update approved {"message":1}'])
  })

  it('P1: a delivery that failed, or whose process died, is presented after all', async () => {
    let failures = 2
    const { channel, shown } = chat()
    const present = channel.present!
    channel.present = async (presentation) => {
      if (failures-- > 0) throw new Error('the chat is down')
      return present(presentation)
    }
    setup = await openTestGateway({ channels: [channel] })
    await askedRequest(setup)
    await setup.clock.advance(0)
    expect(shown).toEqual([])
    setup = await setup.restart()
    await setup.clock.advance(120_000)
    expect(shown).toEqual(['present pending'])
  })

  it('P8: nobody waits where nobody can answer', async () => {
    const { channel } = chat({ kind: 'live', serves: (origin) => origin?.channel === 'chat' })
    setup = await openTestGateway({ channels: [channel] })
    const elsewhere = await setup.gateway.guard(aCall({ origin: { channel: 'telegram' } }), () =>
      expect.unreachable(),
    )
    expect(elsewhere).toMatchObject({
      kind: 'refused',
      state: 'unreachable',
      because: 'nobody who could answer can be reached',
    })
    const absent = await setup.gateway.guard(aCall({ origin: { channel: 'chat' } }), () =>
      expect.unreachable(),
    )
    expect(absent).toMatchObject({ kind: 'refused', state: 'unreachable' })
  })

  it('P8: a live channel reaches while someone is connected and half a minute after; then it is unreachable', async () => {
    const { channel, shown } = chat({ kind: 'live' })
    setup = await openTestGateway({ channels: [channel] })
    await setup.gateway.arrive({ channel: 'chat', connection: 'c0', subject: 'eve' })
    expect((await askedRequest(setup)).state).toBe('unreachable')
    const { leave } = await setup.gateway.arrive({ channel: 'chat', connection: 'c1', subject: 'ana' })
    const request = await askedRequest(setup)
    expect(request).toMatchObject({ state: 'pending', reach: 'live' })
    await setup.clock.advance(5 * 60_000)
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    leave()
    await setup.clock.advance(20_000)
    expect((await setup.store.get(request.id))?.state).toBe('pending')
    await setup.clock.advance(45_000)
    expect((await setup.store.get(request.id))?.state).toBe('unreachable')
    expect(shown[0]).toBe('present pending')
  })
})
