import { expect, it } from 'vitest'
import type { LeaseVerbs } from '../../stores/lease-verbs.ts'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { createFakeClock } from '../../testing/fake-clock.ts'
import { createOneReceiver } from './one-receiver.ts'

function setUp() {
  const clock = createFakeClock()
  const { leases } = openMemoryStore({ now: () => clock.now() })
  const faults: unknown[] = []
  const receiver = (holder: string, by: Pick<LeaseVerbs, 'take' | 'release'> = leases) =>
    createOneReceiver({ service: 'chat', leases: by, holder, clock, report: (fault) => faults.push(fault) })
  return { clock, leases, faults, receiver }
}

it('of several one has the turn, and the next gets it when that one is gone', async () => {
  const { clock, receiver } = setUp()
  const [one, other] = [receiver('one'), receiver('other')]
  const first = await one.next()
  expect(first?.aborted).toBe(false)
  let second: AbortSignal | undefined
  void other.next().then((signal) => {
    second = signal
  })
  await clock.advance(60_000)
  expect([first?.aborted, second]).toEqual([false, undefined])
  await one.close()
  expect(first?.aborted).toBe(true)
  await clock.advance(10_000)
  expect(second?.aborted).toBe(false)
  await other.close()
})

it('one that hears nothing of the store ends its turn before another can have it', async () => {
  const { clock, leases, receiver } = setUp()
  let isHung = false
  const one = receiver('one', {
    ...leases,
    take: (lease) => (isHung ? new Promise(() => {}) : leases.take(lease)),
  })
  const turn = await one.next()
  isHung = true
  await clock.advance(17_000)
  expect(turn?.aborted).toBe(true)
})

it('a store that fails is reported, and asked again', async () => {
  const { clock, leases, faults, receiver } = setUp()
  let isAway = true
  const one = receiver('one', {
    ...leases,
    take: async (lease) => {
      if (isAway) throw new Error('away')
      return leases.take(lease)
    },
  })
  const turn = one.next()
  await clock.advance(1)
  expect(faults).toHaveLength(1)
  isAway = false
  await clock.advance(10_000)
  expect((await turn)?.aborted).toBe(false)
  await one.close()
})

it('whoever waits is told when it is closed', async () => {
  const { receiver } = setUp()
  const [one, other] = [receiver('one'), receiver('other')]
  await one.next()
  const waiting = other.next()
  await other.close()
  expect([await waiting, await other.next()]).toEqual([undefined, undefined])
  await one.close()
})
