/**
 * Coding sessions. What the gate adds to an allowed call of a Claude session: by the time in our hooks, and beside the same script run by
 * the SDK alone, in one run. What a session takes of our memory while it is idle, and asleep. How long progress takes.
 *
 * The Claude Agent SDK and its program are those of test/edges, and their model is a script on this machine.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaudeSdk } from '../../src/agents/claude/claude-sdk.ts'
import { benchFolder } from '../bench-gateway.ts'
import { type Figure, figure, interleave, percentile, ratio } from '../measure.ts'
import { CALLS, createClaudeBench } from './claude-bench.ts'

const SDK = join(import.meta.dirname, '../../test/edges/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs')
const CHILD = join(import.meta.dirname, 'secretary-child.ts')

export async function benchSecretary(rounds: number): Promise<Figure[]> {
  const rest = measureSessions(rounds)
  if (!existsSync(SDK)) {
    console.error(
      'The Claude Agent SDK is not installed: run `npm run test:edges` once. Its figures are left out.',
    )
    return rest
  }
  const sdk = (await import(SDK)) as ClaudeSdk
  const folder = benchFolder()
  for (const name of ['gated', 'alone']) mkdirSync(join(folder, name))
  const { gated, alone, inHooks, idleHeap, close } = await createClaudeBench(sdk, folder, rounds)
  try {
    const [through, bare] = await interleave(
      [
        { name: `a call of a Claude session through the gate (${CALLS} a turn)`, unit: 'ms', run: gated },
        { name: 'the same call with the SDK alone', unit: 'ms', run: alone },
      ],
      rounds,
    )
    return [
      through!,
      bare!,
      ratio('through the gate / alone', through!, bare!),
      figure(
        'time in our hooks for a call, p50',
        'ms',
        inHooks.map((each) => percentile(each, 0.5)),
      ),
      figure(
        'time in our hooks for a call, p95',
        'ms',
        inHooks.map((each) => percentile(each, 0.95)),
      ),
      figure('heap of an idle session with its child', 'MB', [await idleHeap()]),
      ...rest,
    ]
  } finally {
    await close()
  }
}

/** In a process of its own, whose heap has nothing else in it. */
function measureSessions(rounds: number): Figure[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', CHILD, String(rounds)], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`measuring sessions ended with ${status}: ${stderr}`)
  return JSON.parse(stdout) as Figure[]
}
