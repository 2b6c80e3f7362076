/** `deliveries`: every request is shown in every channel it was meant for, at least once, whatever dies (P1). */
import type { Delivery } from '../../stores/store.ts'
import { MINUTE, START } from './drafts.ts'
import type { StoreTest, Suite } from './store-test.ts'

const LEASE = 1000
const TO_CHAT = { deliveries: [{ channel: 'chat' }] }

export function describeDeliveries({ describe, it }: Suite): void {
  describe('deliveries', () => {
    it('P1: a new one is taken by those who serve its channel', async (t) => {
      await t.opened('r1', { deliveries: [{ channel: 'chat' }, { channel: 'mail' }] })
      t.expect(await take(t, ['other'])).toEqual([])
      t.expect(await take(t, [])).toEqual([])
      t.expect(await take(t)).toEqual([{ request: 'r1', channel: 'chat', shownVersion: 0, attempts: 1 }])
      t.expect((await take(t, ['chat', 'mail'])).map((delivery) => delivery.channel)).toEqual(['mail'])
    })

    it('P1: is taken by nobody else until the lease ends, and then by the next', async (t) => {
      await t.opened('r1', TO_CHAT)
      t.expect((await take(t)).length).toBe(1)
      await t.setTime(START + LEASE - 1)
      t.expect(await take(t)).toEqual([])
      await t.setTime(START + LEASE)
      t.expect(await take(t)).toEqual([{ request: 'r1', channel: 'chat', shownVersion: 0, attempts: 2 }])
    })

    it('P1: of many concurrent takers each delivery goes to one', async (t) => {
      for (let index = 0; index < 10; index++) await t.opened(`r${index}`, TO_CHAT)
      const taken = await Promise.all(
        Array.from({ length: 6 }, () => t.store.deliveries.take(['chat'], 3, LEASE)),
      )
      for (const some of taken) t.expect(some.length <= 3).toBe(true)
      const ids = taken.flat().map((delivery) => delivery.request)
      t.expect(new Set(ids).size).toBe(10)
      t.expect(ids.length).toBe(10)
    })

    it('once shown it rests, with the reference that the channel gave', async (t) => {
      await t.opened('r1', TO_CHAT)
      await take(t)
      await t.store.deliveries.shown('r1', 'chat', 1, { message: 'm1' })
      t.expect(await take(t)).toEqual([])
      await t.setTime(START + 10 * LEASE)
      t.expect(await take(t)).toEqual([])
      const rested = {
        request: 'r1',
        channel: 'chat',
        shownVersion: 1,
        reference: { message: 'm1' },
        attempts: 0,
      }
      t.expect(await t.store.deliveries.list('r1')).toEqual([rested])
      t.expect(await t.store.deliveries.list('r2')).toEqual([])
    })

    it('P1: is due again when its request has changed, and keeps its reference', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      await take(t)
      await t.store.deliveries.shown('r1', 'chat', 1, { message: 'm1' })
      const voted = await t.moved(request, 'pending', { deadline: 'keep' })
      const due = {
        request: 'r1',
        channel: 'chat',
        shownVersion: 1,
        reference: { message: 'm1' },
        attempts: 1,
      }
      t.expect(await take(t)).toEqual([due])
      await t.store.deliveries.shown('r1', 'chat', 2, undefined)
      await t.moved(voted, 'rejected')
      t.expect(await take(t)).toEqual([{ ...due, shownVersion: 2 }])
      await t.store.deliveries.shown('r1', 'chat', 3, { message: 'm2' })
      t.expect((await t.store.deliveries.list('r1'))[0]?.reference).toEqual({ message: 'm2' })
    })

    it('P1: an answer while it is being shown breaks no lease, and is shown afterwards', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      await take(t)
      await t.moved(request, 'rejected')
      t.expect(await take(t)).toEqual([])
      await t.store.deliveries.shown('r1', 'chat', 1, 'm1')
      t.expect(await take(t)).toEqual([
        { request: 'r1', channel: 'chat', shownVersion: 1, reference: 'm1', attempts: 1 },
      ])
    })

    it('P1: whoever shows late takes nothing back', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      await take(t)
      await t.moved(request, 'rejected')
      await t.store.deliveries.shown('r1', 'chat', 2, 'new')
      await t.store.deliveries.shown('r1', 'chat', 1, undefined)
      t.expect(await take(t)).toEqual([])
      t.expect((await t.store.deliveries.list('r1'))[0]).toMatchObject({ shownVersion: 2, reference: 'new' })
    })

    it('P1: one that failed is due after its time, and counts its attempts', async (t) => {
      await t.opened('r1', TO_CHAT)
      await take(t)
      await t.store.deliveries.failed('r1', 'chat', 50)
      await t.setTime(START + 49)
      t.expect(await take(t)).toEqual([])
      await t.setTime(START + 50)
      t.expect((await take(t)).map((delivery) => delivery.attempts)).toEqual([2])
      await t.store.deliveries.shown('r1', 'chat', 1, undefined)
      t.expect((await t.store.deliveries.list('r1')).map((delivery) => delivery.attempts)).toEqual([0])
    })

    it('P1: those that wait longest are taken first, and a change that loses makes none due', async (t) => {
      const one = await t.opened('r1', TO_CHAT)
      await t.opened('r2', TO_CHAT)
      await take(t)
      await t.store.deliveries.failed('r1', 'chat', 80)
      await t.store.deliveries.failed('r2', 'chat', 40)
      await t.setTime(START + MINUTE)
      t.expect(
        (await t.store.deliveries.take(['chat'], 1, LEASE)).map((delivery) => delivery.request),
      ).toEqual(['r2'])
      for (const id of ['r1', 'r2']) await t.store.deliveries.shown(id, 'chat', 1, undefined)
      await t.store.transition(t.change(one, 'rejected', { version: 7 }))
      t.expect(await take(t)).toEqual([])
    })
  })
}

function take(t: StoreTest, channels = ['chat']): Promise<Delivery[]> {
  return t.store.deliveries.take(channels, 100, LEASE)
}
