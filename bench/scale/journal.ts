/** What an entry, a page of the feed and the verification cost as the journal grows. */
import { createChainWriter, pageJournal, verifyJournal } from '../../src/journal/index.ts'
import { microsecondsEach } from '../measure.ts'
import { type Measure, pointAt, severalTimes } from './measure-at.ts'
import type { Series } from './plot.ts'

const LENGTHS = [1000, 10_000, 100_000]
const TOGETHER = 500
const TIMES = 100

export const measureJournal: Measure = async (servers, { rounds, largest }) => {
  const cost: Series[] = []
  const whole: Series[] = []
  for (const server of servers) {
    const store = await server.open('scale_journal')
    const chain = createChainWriter('scale')
    const append = () => store.journal.append(chain.draft('attempt.refused', 1, { by: 'ana', on: 'r1' }))
    const lines = ['an entry', 'the newest page of the feed', 'a page from the start'].map((what) => ({
      name: `${server.name}: ${what}`,
      points: [] as Series['points'],
    }))
    const verification: Series['points'] = []
    let written = 0
    for (const length of LENGTHS.filter((each) => each <= largest)) {
      for (; written < length; written += TOGETHER)
        await Promise.all(Array.from({ length: Math.min(TOGETHER, length - written) }, append))
      const cursor = (await store.journal.feed(undefined, 200)).events.at(-1)!.cursor
      const newest = await store.journal.cursor()
      const work = [append, () => store.journal.feed(newest, 200), () => store.journal.feed(cursor, 200)]
      for (const [index, one] of work.entries()) {
        const each = () =>
          microsecondsEach(TIMES, async () => {
            for (let count = 0; count < TIMES; count++) await one()
          })
        lines[index]!.points.push(pointAt(length, await severalTimes(rounds, each)))
      }
      const startedAt = performance.now()
      const { ok } = await verifyJournal(pageJournal(store.journal))
      if (!ok) throw new Error('the journal does not verify')
      verification.push(pointAt(length, [(performance.now() - startedAt) / 1000]))
    }
    await store.close()
    cost.push(...lines)
    whole.push({ name: server.name, points: verification })
  }
  const x = 'entries in the journal'
  return [
    [
      'journal',
      { title: 'Cost as the journal grows', x, y: 'µs each', series: cost, logX: true, logY: true },
    ],
    [
      'verify',
      { title: 'Verifying the whole journal', x, y: 'seconds', series: whole, logX: true, logY: true },
    ],
  ]
}
