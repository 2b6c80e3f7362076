/** `npm run fuzz -- [--seed 1] [--seconds 60] [--allowance 1] [--programs] [--case file.json]`: see CONTRIBUTING.md */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { exercise, followEvents, STEPS, type Step } from './fuzz/exercise.ts'
import { type CallRecipe, makeCall, programCall } from './fuzz/make-call.ts'
import { type Figures, type MeasuredServer, startMeasuredServer } from './fuzz/measured-server.ts'
import { seededRandom } from './fuzz/random.ts'
import { build, halve } from './fuzz/recipe.ts'

const HELP = `npm run fuzz -- [options]

  --seed N        the first seed; each call has one of its own; 1
  --seconds N     how long; 60
  --allowance X   how many times slower this machine may be than ours; 1
  --out FOLDER    where cases that are too expensive are written; a folder in the temporary one
  --programs      only lines that repeat what one program takes
  --case FILE     run one such case and print what each step costs
  --help          this text

No call may hold the server for more than ${250} ms, or take more than ${200} MB.
Exit codes: 0 none does, 1 one does (its recipe is written down), 2 usage.
`

/** What no call that an agent can send may cost. */
const MAX_HOLD_MS = 250
const MAX_MEGABYTES = 200
/** No answer by then is too late whatever the machine. */
const ANSWER_WITHIN_MS = 20_000
/** A server that has heard a few hundred calls of a megabyte has a history that costs something by itself. */
const CALLS_EACH_SERVER = 150

interface Cost extends Figures {
  step: Step
  status: number
}

const options = readOptions()
if (options !== undefined) process.exitCode = await main(options)

async function main({
  seed,
  seconds,
  allowance,
  out,
  make,
  file,
}: NonNullable<typeof options>): Promise<number> {
  let server = await start()
  let runs = 0
  const reference = await measureReference()
  console.log(
    `the reference line (git status) holds the server for ${reference.holdMs.toFixed(1)} ms and takes ${reference.megabytes.toFixed(1)} MB`,
  )
  try {
    if (file !== undefined) {
      const call = JSON.parse(readFileSync(file, 'utf8')) as CallRecipe
      const costs = await run(call)
      for (const cost of costs) console.log(describe(cost))
      return costs.some(isTooMuch) ? 1 : 0
    }
    return await search()
  } finally {
    server.close()
  }

  async function search(): Promise<number> {
    const worst: { seed: number; call: CallRecipe; cost: Cost }[] = []
    const dearest = new Map<Step, { seed: number; cost: Cost }>()
    const end = performance.now() + seconds * 1000
    let calls = 0
    for (let each = seed; performance.now() < end; each++, calls++) {
      if (calls > 0 && calls % CALLS_EACH_SERVER === 0) await restart()
      const call = make(seededRandom(each))
      const costs = await run(call)
      if (!costs.some(isTooMuch)) {
        for (const cost of costs)
          if (cost.holdMs > (dearest.get(cost.step)?.cost.holdMs ?? 0))
            dearest.set(cost.step, { seed: each, cost })
        continue
      }
      // A collection of garbage may fall into any step: what is too much once must be so again.
      const lost = costs.find(({ holdMs }) => holdMs === Number.POSITIVE_INFINITY)
      const again = lost ?? (await run(call)).find(isTooMuch)
      if (again === undefined) continue
      const smallest = await shrink(call, again)
      worst.push({ seed: each, ...smallest })
      mkdirSync(out, { recursive: true })
      writeFileSync(join(out, `${each}.json`), `${JSON.stringify(smallest.call, undefined, 1)}\n`)
      console.log(`seed ${each}: ${describe(smallest.cost)}\n  ${shorten(JSON.stringify(smallest.call))}`)
    }
    console.log(
      `${calls} calls from seed ${seed}: ${worst.length} too expensive${worst.length === 0 ? '' : `; written to ${out}, run one with --case`}`,
    )
    for (const { seed: of, cost } of dearest.values())
      console.log(`  the dearest that was let by: seed ${of}, ${describe(cost)}`)
    return worst.length === 0 ? 0 : 1
  }

  async function shrink(call: CallRecipe, cost: Cost): Promise<{ call: CallRecipe; cost: Cost }> {
    let smallest = { call, cost }
    for (;;) {
      const half = halve(smallest.call) as CallRecipe | undefined
      if (half === undefined) return smallest
      const found = (await run(half)).find((each) => each.step === cost.step && isTooMuch(each))
      if (found === undefined) return smallest
      smallest = { call: half, cost: found }
    }
  }

  async function run(recipe: CallRecipe): Promise<Cost[]> {
    const call = build(recipe) as Record<string, unknown>
    const { run: prepare } = exercise(server, call, String(runs++))
    const costs: Cost[] = []
    for (const step of STEPS) {
      const work = prepare(step)
      if (work === undefined) continue
      let status = 0
      const figures = await server.measure(
        () =>
          work().then(
            (answer) => (status = answer),
            () => undefined,
          ),
        ANSWER_WITHIN_MS,
      )
      if (figures === undefined || status === 0) {
        costs.push({ step, status, holdMs: Number.POSITIVE_INFINITY, wallMs: ANSWER_WITHIN_MS, megabytes: 0 })
        await restart()
        return costs
      }
      costs.push({ step, status, ...figures })
    }
    return costs
  }

  async function restart(): Promise<void> {
    server.close()
    server = await start()
  }

  async function start(): Promise<MeasuredServer> {
    const started = await startMeasuredServer()
    await followEvents(started)
    return started
  }

  async function measureReference(): Promise<Figures> {
    const reviews: Cost[] = []
    for (let count = 0; count < 10; count++)
      reviews.push(...(await run({ tool: 'Bash', arguments: { command: 'git status' } })).slice(0, 1))
    const middle = (key: 'holdMs' | 'wallMs' | 'megabytes') =>
      reviews.map((cost) => cost[key]).sort((one, other) => one - other)[5] ?? 0
    return { holdMs: middle('holdMs'), wallMs: middle('wallMs'), megabytes: middle('megabytes') }
  }

  function isTooMuch({ holdMs, megabytes, status }: Cost): boolean {
    return holdMs > MAX_HOLD_MS * allowance || megabytes > MAX_MEGABYTES || status >= 500
  }

  function describe({ step, status, holdMs, wallMs, megabytes }: Cost): string {
    if (holdMs === Number.POSITIVE_INFINITY) return `${step} gave no answer`
    const ratio = (value: number, of: number) =>
      `${(value / Math.max(of, 0.1)).toFixed(0)} times the reference`
    return (
      `${step} answered ${status}, held the server for ${holdMs.toFixed(0)} ms (${ratio(holdMs, reference.holdMs)}; ` +
      `${wallMs.toFixed(0)} ms by the clock) and took ${megabytes.toFixed(0)} MB (${ratio(megabytes, reference.megabytes)})`
    )
  }
}

function shorten(text: string): string {
  return text.length <= 400 ? text : `${text.slice(0, 400)}…`
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: '1' },
        seconds: { type: 'string', default: '60' },
        allowance: { type: 'string', default: '1' },
        out: { type: 'string', default: join(tmpdir(), 'banksman-fuzz-cases') },
        programs: { type: 'boolean', default: false },
        case: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      return undefined
    }
    const [seed, seconds, allowance] = [values.seed, values.seconds, values.allowance].map(Number)
    if (!(seed! >= 0) || !(seconds! > 0) || !(allowance! > 0)) throw new Error('numbers must be above zero')
    const make = values.programs ? programCall : makeCall
    return { seed: seed!, seconds: seconds!, allowance: allowance!, out: values.out, make, file: values.case }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    process.exitCode = 2
    return undefined
  }
}
