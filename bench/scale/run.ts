/**
 * `npm run bench:scale -- [--out docs/images] [--rounds 3] [--largest 100000]`: how the cost grows with pending requests,
 * nodes, watchers and the journal's length, on each store that can be shared. It draws the plots of docs/scale.md and
 * prints their numbers.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine } from '../report.ts'
import { startSharedServers } from '../stores/servers.ts'
import { measureJournal } from './journal.ts'
import { measureNodes } from './nodes.ts'
import { measurePending } from './pending.ts'
import { drawPlot, type Plot } from './plot.ts'
import { measureWatchers } from './watchers.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    largest: { type: 'string', default: '100000' },
  },
})
const rounds = Number(values.rounds)
const largest = Number(values.largest)
const servers = await startSharedServers()
const plots: [name: string, plot: Plot][] = []
try {
  for (const measure of [measurePending, measureNodes, measureWatchers, measureJournal])
    plots.push(...(await measure(servers, { rounds, largest })))
} finally {
  for (const server of servers) await server.dispose()
}
for (const [name, plot] of plots) {
  console.log(`\n${plot.title} (${plot.y})`)
  for (const { name: series, points } of plot.series) {
    const cells = points.map(
      ({ x, y, low = y, high = y }) => `${x}: ${round(y)} [${round(low)}–${round(high)}]`,
    )
    console.log(`  ${series.padEnd(28)} ${cells.join('   ')}`)
  }
  if (values.out === undefined) continue
  mkdirSync(values.out, { recursive: true })
  writeFileSync(join(values.out, `scale-${name}.svg`), drawPlot(plot))
}
console.log(
  `\n${machine.node}, ${machine.cores} × ${machine.cpu}; servers, nodes and clients on this machine`,
)

function round(value: number): number {
  return Number(value.toPrecision(3))
}
