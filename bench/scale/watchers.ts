/** Approvals a second on one node while so many watch what changes, through the same node. */
import { openGateway } from '../../src/index.ts'
import { approveOne, inFlight } from '../bench-gateway.ts'
import { perSecond } from '../measure.ts'
import { type Measure, pointAt, severalTimes } from './measure-at.ts'
import type { Series } from './plot.ts'

const WATCHERS = [1, 10, 100, 1000]
const COUNT = 500

export const measureWatchers: Measure = async (servers, { rounds }) => {
  const series: Series[] = []
  for (const server of servers) {
    const gateway = await openGateway({
      store: await server.open('scale_watchers'),
      policy: {},
      owner: 'ana',
    })
    const leaving = new AbortController()
    const points: Series['points'] = []
    let watching = 0
    await inFlight(32, COUNT, () => approveOne(gateway))
    for (const count of WATCHERS) {
      for (; watching < count; watching++) void follow(gateway.watch({ signal: leaving.signal }))
      const rates = await severalTimes(rounds, () =>
        perSecond(COUNT, () => inFlight(32, COUNT, () => approveOne(gateway))),
      )
      points.push(pointAt(count, rates))
    }
    leaving.abort()
    await gateway.close()
    series.push({ name: server.name, points })
  }
  return [
    [
      'watchers',
      {
        title: 'Approvals a second while many watch',
        x: 'watchers on the node',
        y: 'approvals a second',
        series,
        logX: true,
      },
    ],
  ]
}

async function follow(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}
