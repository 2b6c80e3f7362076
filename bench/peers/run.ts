/**
 * `npm run bench:peers -- [policy|agents|pauses …] [--rounds 15] [--json]`: ours beside others on the same work, in one process.
 *
 * - `policy`, which is what runs where nothing is named: our policy beside createToolPolicyHook, picomatch and Cedar, on
 *   the same rules and calls.
 * - `agents`: what an approval adds to a tool call in our loop, in LangGraph.js and in OpenAI Agents JS. BENCH_FOLDER names
 *   the disk that they write to.
 * - `pauses`: a native pause with each framework's own approvals and with ours, on the installation of `npm run torture`.
 *
 * The first run installs what is compared: about 560 MB for `policy`, 170 MB for `agents`.
 *
 * All must do the same work first, or there are no figures.
 */
import { parseArgs } from 'node:util'
import type { Figure } from '../measure.ts'
import { machine, printFigures, printMachine } from '../report.ts'
import { agentsBench } from './agents.ts'
import { pausesBench } from './pauses.ts'
import type { PeerBench } from './peer-bench.ts'
import { policyBench } from './policy.ts'

const BENCHES: Record<string, PeerBench> = {
  policy: policyBench,
  agents: agentsBench,
  pauses: pausesBench,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, rounds: { type: 'string', default: '15' } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number of at least 1; found ${JSON.stringify(values.rounds)}`)
  process.exit(2)
}
const versions: Record<string, string> = {}
const results: Record<string, Figure[]> = {}
for (const name of positionals.length > 0 ? positionals : ['policy']) {
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
  if (bench === undefined) {
    const known = Object.keys(BENCHES).join(', ')
    console.error(`there is no comparison ${JSON.stringify(name)}; there are ${known}`)
    process.exit(2)
  }
  Object.assign(versions, bench.install())
  for await (const group of bench.run(rounds)) {
    results[group.name] = group.figures
    if (!values.json) printFigures(group.name, group.figures)
  }
}
if (values.json) console.log(JSON.stringify({ machine, versions, results }, null, 2))
else {
  printMachine(rounds)
  console.log(
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  )
}
