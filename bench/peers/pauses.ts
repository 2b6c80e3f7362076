/**
 * What a native pause costs: a whole run with one call that pauses the framework, is approved, and goes on, with the framework's own
 * approvals and with ours. LangChain has its real SqliteSaver in both, on files on the same disk. The AI SDK and OpenAI Agents keep
 * nothing, so against them the disk decides.
 *
 * The frameworks, and our package as it's published, are those of the torture test.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from '../bench-gateway.ts'
import { type Contestant, interleave, microsecondsEach, ratio } from '../measure.ts'
import type { PeerBench } from './peer-bench.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'test/torture')
const RUNS = 100
const WARM_ROUNDS = 4

interface PauseLoop {
  name: string
  pause(): Promise<void>
}

interface ComparedPauses {
  pairs: { name: string; own: PauseLoop; ours: PauseLoop; target?: number }[]
  flush(): Promise<void>
  close(): Promise<void>
}

export const pausesBench: PeerBench = {
  install() {
    const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/torture.mjs'), '--install'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error('the frameworks of the torture test could not be installed')
    const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const names = [
      'langchain',
      '@langchain/langgraph',
      '@langchain/langgraph-checkpoint-sqlite',
      'better-sqlite3',
    ]
    return Object.fromEntries([...names, 'ai', '@openai/agents'].map((name) => [name, dependencies[name]!]))
  },
  async *run(rounds) {
    const folder = benchFolder()
    // It resolves its packages from where it stands.
    const { openPauses } = (await import(join(FOLDER, 'pauses/open-pauses.ts'))) as {
      openPauses(folder: string): Promise<ComparedPauses>
    }
    const { pairs, flush, close } = await openPauses(folder)
    const contestant = ({ name, pause }: PauseLoop): Contestant => ({
      name: `a run with a pause: ${name}`,
      unit: 'µs',
      run: () =>
        microsecondsEach(RUNS, async () => {
          for (let done = 0; done < RUNS; done++) await pause()
          // What nobody waited for is part of the price.
          await flush()
        }),
    })
    try {
      for (const { name, own, ours, target } of pairs) {
        const contestants = [contestant(own), contestant(ours)]
        // Until both are compiled, and their logs no longer grow with each commit.
        for (let warm = 0; warm < WARM_ROUNDS; warm++) for (const { run } of contestants) await run()
        const [theirs, banksman] = await interleave(contestants, rounds)
        const aim = target === undefined ? '' : ` (target at most ${target})`
        const share = ratio(`Banksman / its own${aim}`, banksman!, theirs!)
        yield { name: `native pause: ${name}`, figures: [theirs!, banksman!, share] }
      }
    } finally {
      await close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
