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
      t.expect((await take(t)).map(plain)).toEqual([
        { request: 'r1', channel: 'chat', shownVersion: 0, attempts: 1 },
      ])
      t.expect((await take(t, ['chat', 'mail'])).map((delivery) => delivery.channel)).toEqual(['mail'])
    })

    it('P1: is taken by nobody else until the lease ends, and then by the next', async (t) => {
      await t.opened('r1', TO_CHAT)
      const [first] = await take(t)
      await t.setTime(START + LEASE - 1)
      t.expect(await take(t)).toEqual([])
      await t.setTime(START + LEASE)
      const next = await take(t)
      t.expect(next.map(plain)).toEqual([{ request: 'r1', channel: 'chat', shownVersion: 0, attempts: 2 }])
      t.expect(next[0]!.ticket > first!.ticket).toBe(true)
      t.expect(Number.isSafeInteger(next[0]!.ticket)).toBe(true)
      t.expect(await t.store.deliveries.list('r1')).toEqual(next)
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
      const taken = await takeOne(t)
      t.expect(await t.store.deliveries.shown(taken, 1, { message: 'm1' })).toBe(true)
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
      t.expect((await t.store.deliveries.list('r1')).map(plain)).toEqual([rested])
      t.expect(await t.store.deliveries.list('r2')).toEqual([])
    })

    it('P1: is due again when its request has changed, and keeps its reference', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      const first = await takeOne(t)
      await t.store.deliveries.shown(first, 1, { message: 'm1' })
      const voted = await t.moved(request, 'pending', { deadline: 'keep' })
      const due = {
        request: 'r1',
        channel: 'chat',
        shownVersion: 1,
        reference: { message: 'm1' },
        attempts: 1,
      }
      const second = await takeOne(t)
      t.expect(plain(second)).toEqual(due)
      t.expect(second.ticket > first.ticket).toBe(true)
      await t.store.deliveries.shown(second, 2, undefined)
      await t.moved(voted, 'rejected')
      const third = await takeOne(t)
      t.expect(plain(third)).toEqual({ ...due, shownVersion: 2 })
      await t.store.deliveries.shown(third, 3, { message: 'm2' })
      t.expect((await t.store.deliveries.list('r1'))[0]?.reference).toEqual({ message: 'm2' })
    })

    it('P1: an answer while it is being shown breaks no lease, and is shown afterwards', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      const taken = await takeOne(t)
      await t.moved(request, 'rejected')
      t.expect(await take(t)).toEqual([])
      t.expect(await t.store.deliveries.shown(taken, 1, 'm1')).toBe(true)
      t.expect((await take(t)).map(plain)).toEqual([
        { request: 'r1', channel: 'chat', shownVersion: 1, reference: 'm1', attempts: 1 },
      ])
    })

    it('P1: whoever shows late takes nothing back', async (t) => {
      const request = await t.opened('r1', TO_CHAT)
      const taken = await takeOne(t)
      await t.moved(request, 'rejected')
      await t.store.deliveries.shown(taken, 2, 'new')
      await t.store.deliveries.shown(taken, 1, undefined)
      t.expect(await take(t)).toEqual([])
      t.expect((await t.store.deliveries.list('r1'))[0]).toMatchObject({ shownVersion: 2, reference: 'new' })
    })

    it('P1: a lease that has ended and that nobody took since may still be ended by its taker', async (t) => {
      await t.opened('r1', TO_CHAT)
      const taken = await takeOne(t)
      await t.setTime(START + 10 * LEASE)
      t.expect(await t.store.deliveries.shown(taken, 1, 'm1')).toBe(true)
      t.expect(await take(t)).toEqual([])
    })

    it('P1: a taker that was paused past its lease changes nothing for the next one', async (t) => {
      await t.opened('r1', TO_CHAT)
      const paused = await takeOne(t)
      await t.setTime(START + LEASE)
      const next = await takeOne(t)
      const before = await t.store.deliveries.list('r1')
      t.expect(await t.store.deliveries.shown(paused, 1, 'late')).toBe(false)
      t.expect(await t.store.deliveries.failed(paused, 0)).toBe(false)
      t.expect(await t.store.deliveries.list('r1')).toEqual(before)
      t.expect(await take(t)).toEqual([])
      t.expect(await t.store.deliveries.shown(next, 1, 'm2')).toBe(true)
      t.expect(await t.store.deliveries.shown(paused, 1, 'late')).toBe(false)
      t.expect((await t.store.deliveries.list('r1'))[0]).toMatchObject({ shownVersion: 1, reference: 'm2' })
      t.expect(await take(t)).toEqual([])
    })

    it("P5: what nobody took, and what is not there, is nobody's to end", async (t) => {
      await t.opened('r1', TO_CHAT)
      const { ticket } = await takeOne(t)
      for (const other of [
        { request: 'r1', channel: 'mail', ticket },
        { request: 'r2', channel: 'chat', ticket },
        { request: 'r1', channel: 'chat', ticket: ticket + 1 },
      ]) {
        t.expect(await t.store.deliveries.shown(other, 1, 'm')).toBe(false)
        t.expect(await t.store.deliveries.failed(other, 0)).toBe(false)
      }
      t.expect((await t.store.deliveries.list('r1')).map(plain)).toEqual([
        { request: 'r1', channel: 'chat', shownVersion: 0, attempts: 1 },
      ])
      t.expect(await t.store.deliveries.list('r2')).toEqual([])
    })

    it('P1: one that failed is due after its time, and counts its attempts', async (t) => {
      await t.opened('r1', TO_CHAT)
      t.expect(await t.store.deliveries.failed(await takeOne(t), 50)).toBe(true)
      await t.setTime(START + 49)
      t.expect(await take(t)).toEqual([])
      await t.setTime(START + 50)
      const again = await takeOne(t)
      t.expect(again.attempts).toBe(2)
      await t.store.deliveries.shown(again, 1, undefined)
      t.expect((await t.store.deliveries.list('r1')).map((delivery) => delivery.attempts)).toEqual([0])
    })

    it('P1: those that wait longest are taken first, and a change that loses makes none due', async (t) => {
      const one = await t.opened('r1', TO_CHAT)
      await t.opened('r2', TO_CHAT)
      for (const taken of await take(t))
        await t.store.deliveries.failed(taken, taken.request === 'r1' ? 80 : 40)
      await t.setTime(START + MINUTE)
      const second = await t.store.deliveries.take(['chat'], 1, LEASE)
      t.expect(second.map((delivery) => delivery.request)).toEqual(['r2'])
      for (const taken of [...second, ...(await take(t))]) await t.store.deliveries.shown(taken, 1, undefined)
      await t.store.transition(t.change(one, 'rejected', { version: 7 }))
      t.expect(await take(t)).toEqual([])
    })
  })
}

function take(t: StoreTest, channels = ['chat']): Promise<Delivery[]> {
  return t.store.deliveries.take(channels, 100, LEASE)
}

/** Where anything but one is a fault. */
async function takeOne(t: StoreTest): Promise<Delivery> {
  const taken = await take(t)
  if (taken.length !== 1) throw new Error(`one delivery was to be taken, and ${taken.length} were`)
  return taken[0]!
}

/** A driver may count its tickets as it likes. */
function plain({ ticket: _, ...delivery }: Delivery): Omit<Delivery, 'ticket'> {
  return delivery
}
