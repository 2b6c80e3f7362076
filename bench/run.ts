/** `npm run bench -- [approvals|allowed|pending|http|thread …] [--rounds 5] [--json]` */
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { benchAllowed } from './allowed.ts'
import { benchApprovals } from './approvals.ts'
import { benchHttp } from './http.ts'
import type { Figure } from './measure.ts'
import { benchPending } from './pending.ts'
import { benchThread } from './thread.ts'

const BENCHES: Record<string, (rounds: number) => Promise<Figure[]>> = {
  approvals: benchApprovals,
  allowed: benchAllowed,
  pending: benchPending,
  http: benchHttp,
  thread: benchThread,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '5' } },
})
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES)
const results: Record<string, Figure[]> = {}
for (const name of names) {
  const bench = BENCHES[name]
  if (bench === undefined) {
    console.error(
      `there is no benchmark ${JSON.stringify(name)}; there are ${Object.keys(BENCHES).join(', ')}`,
    )
    process.exit(2)
  }
  results[name] = await bench(Number(values.rounds))
  if (!values.json) print(name, results[name])
}
const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model }
if (values.json) console.log(JSON.stringify({ machine, results }, null, 2))
else
  console.log(
    `\n${machine.node}, ${machine.cores} × ${machine.cpu}; median [lowest … highest] of ${values.rounds} rounds`,
  )

function print(name: string, figures: Figure[]): void {
  console.log(`\n${name}`)
  for (const each of figures) {
    const value = (n: number) =>
      each.unit === 'x' || n < 100 ? n.toFixed(2) : Math.round(n).toLocaleString('en')
    console.log(
      `  ${each.name.padEnd(82)} ${value(each.median).padStart(9)} ${each.unit.padEnd(2)} [${value(each.min)} … ${value(each.max)}]`,
    )
  }
}
