/** `npm run simulate -- [--seeds 10000] [--from 1] [--workers 2] | --seed 1234 | --planted`: see docs/simulation.md */
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import {
  addSummary,
  describeBroken,
  emptySummary,
  leaveOutFaults,
  runSeeds,
  type Summary,
} from '../test/simulation/run-seeds.ts'
import { simulate } from '../test/simulation/simulate.ts'
import { FAULT_KINDS, type FaultKind } from '../test/simulation/world/faults.ts'

const HELP = `npm run simulate -- [options]

  --seeds N     how many seeds to run; 10000
  --from N      the first of them; 1
  --workers N   how many threads; 2
  --seed N      run one seed and print its whole trace
  --without K   kinds of faults to leave out of it, with commas between
  --planted     put known bugs into copies of the source, and see that each is found
  --json        print the result as one line of JSON
  --help        this text

Exit codes: 0 every promise held, 1 one was broken (the seed and how to replay it are printed), 2 usage.
`

/** Few enough that the progress moves, many enough that handing them out costs nothing. */
const CHUNK = 100

if (isMainThread) await main()
else work()

async function main(): Promise<void> {
  const options = readOptions()
  if (options.help) {
    process.stdout.write(HELP)
    return
  }
  if (options.planted) {
    const { findPlants } = await import('../test/simulation/plants/find-plants.ts')
    const found = await findPlants({ seeds: options.seeds ?? 6000, report: (line) => console.log(line) })
    process.exitCode = found.every((one) => one.broken !== undefined) ? 0 : 1
    return
  }
  if (options.seed !== undefined) {
    const result = await simulate(options.seed, { without: options.without })
    process.stdout.write(`${result.trace.join('\n')}\n`)
    console.error(
      result.broken === undefined
        ? `seed ${options.seed}: every promise held (${result.steps} steps, trace ${result.hash})`
        : `seed ${options.seed} broke ${result.broken.promise}: ${result.broken.words} (trace ${result.hash})`,
    )
    process.exitCode = result.broken === undefined ? 0 : 1
    return
  }
  const startedAt = performance.now()
  const { from, seeds = 10_000, workers, json } = options
  const summary =
    workers === 1 && json ? await runSeeds(from, seeds) : await runInWorkers(from, seeds, workers, json)
  const seconds = (performance.now() - startedAt) / 1000
  if (json) {
    const { broken } = summary
    console.log(
      JSON.stringify({
        seeds: summary.seeds,
        seconds,
        ...(broken && { broken: { seed: broken.seed, ...broken.broken } }),
      }),
    )
  } else await print(summary, seconds)
  process.exitCode = summary.broken === undefined ? 0 : 1
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string' },
        seed: { type: 'string' },
        without: { type: 'string' },
        from: { type: 'string', default: '1' },
        workers: { type: 'string', default: '2' },
        planted: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    return {
      ...values,
      seeds: values.seeds === undefined ? undefined : whole('seeds', values.seeds),
      seed: values.seed === undefined ? undefined : whole('seed', values.seed),
      without: values.without === undefined ? [] : values.without.split(',').map(faultNamed),
      from: whole('from', values.from),
      workers: whole('workers', values.workers),
    }
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${HELP}`)
    process.exit(2)
  }
}

function faultNamed(text: string): FaultKind {
  const kind = FAULT_KINDS.find((one) => one === text.trim())
  if (kind === undefined)
    throw new Error(
      `--without takes kinds of faults (${FAULT_KINDS.join(', ')}); found ${JSON.stringify(text)}`,
    )
  return kind
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1; found ${JSON.stringify(text)}`)
  return value
}

/** Hands out chunks of seeds in order; after a broken one no more are begun. */
async function runInWorkers(
  from: number,
  seeds: number,
  workers: number,
  isSilent: boolean,
): Promise<Summary> {
  const sum = emptySummary()
  const startedAt = performance.now()
  let next = from
  const end = from + seeds
  await Promise.all(
    Array.from({ length: workers }, async () => {
      const worker = new Worker(import.meta.filename)
      const failed = new Promise<never>((_, reject) => worker.once('error', reject))
      try {
        while (next < end && sum.broken === undefined) {
          const chunk = { from: next, count: Math.min(CHUNK, end - next) }
          next += chunk.count
          const done = new Promise<Summary>((resolve) => worker.once('message', resolve))
          worker.postMessage(chunk)
          addSummary(sum, await Promise.race([done, failed]))
          if (!isSilent) showProgress(sum, seeds, startedAt)
        }
      } finally {
        await worker.terminate()
      }
    }),
  )
  return sum
}

function work(): void {
  let seeds = ''
  // Nobody in a world leaves a failure lying about: where one does, which seeds to look at must be known.
  process.on('unhandledRejection', (error) => {
    throw new Error(`a promise was left rejected in ${seeds}: ${(error as Error)?.stack ?? error}`)
  })
  parentPort!.on('message', async ({ from, count }: { from: number; count: number }) => {
    seeds = `seeds ${from} to ${from + count - 1}`
    parentPort!.postMessage(await runSeeds(from, count))
  })
}

function showProgress(sum: Summary, seeds: number, startedAt: number): void {
  const seconds = (performance.now() - startedAt) / 1000
  const line = `${sum.seeds} of ${seeds} seeds, ${Math.round(sum.seeds / seconds)} a second`
  if (process.stderr.isTTY) process.stderr.write(`\r${line}  `)
  else if (sum.seeds % 2000 < CHUNK) console.error(line)
}

async function print(summary: Summary, seconds: number): Promise<void> {
  const { seeds, steps, virtualMs, tally, faults, broken } = summary
  if (process.stderr.isTTY) process.stderr.write('\n')
  if (broken !== undefined) {
    console.log(describeBroken(broken))
    const without = await leaveOutFaults(broken)
    const needed = FAULT_KINDS.filter((kind) => !without.includes(kind))
    console.log(
      `it needs of the faults ${needed.length === 0 ? 'none' : `only ${needed.join(', ')}`}: --without "${without.join(',')}"`,
    )
  }
  console.log(`
seeds      ${seeds}${broken === undefined ? ', every promise held' : ''}
steps      ${steps}
in there   ${Math.round(virtualMs / 3_600_000)} hours
calls      ${tally.calls}
decisions  ${tally.decisions}
runs       ${tally.runs}
released   ${tally.released}
successors ${tally.successors}
replayed   ${tally.replayed}
commits    ${tally.commits}
seconds    ${seconds.toFixed(1)} (${Math.round(seeds / seconds)} seeds a second)
faults`)
  for (const [kind, count] of Object.entries(faults)) console.log(`  ${String(count).padStart(9)}  ${kind}`)
}
