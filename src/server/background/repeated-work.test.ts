import { expect, it } from 'vitest'
import { startRepeatedWork } from './repeated-work.ts'

it('one round at a time, and those who ask meanwhile share the next', async () => {
  let under = 0
  let most = 0
  let rounds = 0
  const waiting: (() => void)[] = []
  const work = startRepeatedWork({
    doing: 'something',
    everyMs: 3_600_000,
    async work() {
      rounds++
      most = Math.max(most, ++under)
      await new Promise<void>((resolve) => waiting.push(resolve))
      under--
    },
    report: ({ error }) => {
      throw error
    },
  })
  const first = work.now()
  await expect.poll(() => waiting.length).toBe(1)
  const others = [work.now(), work.now()]
  waiting.shift()!()
  await first
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()!()
  await Promise.all(others)
  expect([rounds, most]).toEqual([2, 1])
  await work.stop()
  await work.now()
  expect(rounds).toBe(2)
})

it('a fault that stays is told once, and again after it was gone', async () => {
  const told: unknown[] = []
  let recoveries = 0
  let error: Error | undefined = new Error('away')
  const work = startRepeatedWork({
    doing: 'reading',
    everyMs: 3_600_000,
    async work() {
      if (error !== undefined) throw error
    },
    report: (fault) => told.push(fault),
    recovered: () => recoveries++,
  })
  await work.now()
  await work.now()
  expect(told).toEqual([{ doing: 'reading', error }])
  expect(recoveries).toBe(0)
  error = undefined
  await work.now()
  await work.now()
  expect(recoveries).toBe(1)
  error = new Error('away')
  await work.now()
  expect(told).toHaveLength(2)
  await work.stop()
})
