import { expect, it } from 'vitest'
import { until } from '../../../../test/fixtures/until.ts'
import { createFakeClock } from '../../../testing/fake-clock.ts'
import { createNoticeQueue } from './notice-queue.ts'

it("a chat that says when to try again is waited for, however often it does: quiet hours last longer than an hour's tries", async () => {
  const clock = createFakeClock()
  const faults: unknown[] = []
  let tries = 0
  const queue = createNoticeQueue({
    clock,
    report: (fault) => void faults.push(fault),
    async notify() {
      if (++tries <= 100) throw Object.assign(new Error('quiet hours'), { retryAfterMs: 8 * 3_600_000 })
      return 'told'
    },
  })
  const to = { channel: 'chat', conversation: 'c' }
  const sent = queue.send('s', { to, owner: 'ana', words: () => ({ sign: '✅', title: 'Done' }) })
  await until(async () => {
    await clock.advance(300_000)
    return tries > 100
  })
  expect([await sent, faults]).toEqual([true, []])
})
