/** What a list page, a look for what is due and a decision cost as more requests wait. */
import { fill, PENDING_WORK } from '../stores/pending.ts'
import { type Measure, pointAt, severalTimes } from './measure-at.ts'
import type { Series } from './plot.ts'

const SIZES = [100, 1000, 10_000, 100_000]

export const measurePending: Measure = async (servers, { rounds, largest }) => {
  const series: Series[] = []
  for (const server of servers) {
    const lines = Object.keys(PENDING_WORK).map((what) => ({
      name: `${server.name}: ${what}`,
      points: [] as Series['points'],
    }))
    const store = await server.open('scale_pending')
    let filled = 0
    for (const size of SIZES.filter((each) => each <= largest)) {
      await fill(store, size - filled, filled)
      filled = size
      for (const [index, work] of Object.values(PENDING_WORK).entries()) {
        await work(store)
        lines[index]!.points.push(pointAt(size, await severalTimes(rounds, () => work(store))))
      }
    }
    await store.close()
    series.push(...lines)
  }
  return [
    [
      'pending',
      {
        title: 'Cost as more requests wait',
        x: 'pending requests',
        y: 'µs each',
        series,
        logX: true,
        logY: true,
      },
    ],
  ]
}
