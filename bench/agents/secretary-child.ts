/** A hundred sessions that have worked and are asleep: what each takes of the heap, and how long progress takes. Prints figures. */

import { loopDriver } from '../../test/secretary/loop-driver.ts'
import { openWorld } from '../../test/secretary/secretary-world.ts'
import { type Figure, figure, percentile } from '../measure.ts'

const SESSIONS = 100
const LOOKS = 200
const rounds = Number(process.argv[2] ?? 3)
const CALLS = 30

const step = { say: 'I look at it.', calls: [{ tool: 'Read', arguments: { file_path: 'readme.md' } }] }
const script = [{ when: 'look', steps: [...Array.from({ length: CALLS }, () => step), { say: 'Done.' }] }]

const heaps: number[] = []
const times: number[] = []
const late: number[] = []
for (let round = 0; round < rounds; round++) {
  const world = await openWorld(
    { ...loopDriver, time: 'real' },
    { script, settings: { sessionsPerPerson: 1000, idleMs: 1 } },
  )
  const first = await world.start('look')
  await world.idle(first)
  const before = heap()
  const ids: string[] = []
  for (let count = 0; count < SESSIONS; count++) {
    const id = await world.start('look')
    await world.idle(id)
    ids.push(id)
  }
  heaps.push((heap() - before) / SESSIONS / 1024 / 1024)
  const looks: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const at = performance.now()
    await world.secretary.progress(ids[look % SESSIONS]!, { subject: 'ben', role: 'approver', via: 'bench' })
    looks.push(performance.now() - at)
  }
  times.push(percentile(looks, 0.5))
  late.push(percentile(looks, 0.95))
  await world.close()
}
const figures: Figure[] = [
  figure(`heap of a session asleep (of ${SESSIONS})`, 'MB', heaps),
  figure('progress of a session, p50', 'ms', times),
  figure('progress of a session, p95', 'ms', late),
]
console.log(JSON.stringify(figures))
process.exit(0)

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
