/**
 * What it takes to consult a process hook: a `before_tool` request of about 300 bytes to one Node child that answers
 * `continue`. Our channel and SDK beside vscode-jsonrpc on both ends, in one run; and the whole hook as the chain calls it,
 * with its translation and a time limit.
 *
 * How long one call takes depends first on where the kernel puts the two processes: to wake one on another, idle core of a
 * virtual machine takes longer than all the rest. So it is measured on one core, which says what the code costs, and then
 * on all of them.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { HookContext } from '../../src/agents/hooks/hook.ts'
import { type HookProcess, startHookProcess } from '../../src/agents/hooks/process/hook-process.ts'
import { createProcessHook, type ProcessHook } from '../../src/agents/hooks/process/process-hook.ts'
import { inFlight } from '../bench-gateway.ts'
import { type Figure, figure, ratio } from '../measure.ts'
import { jsonRpcVersion, loadJsonRpc, type MessageConnection } from '../peers/json-rpc/load.ts'

/** Calls in a slice. */
const ONE = 1000
const MANY = 12_800
const SLICES = 4
const WIDTH = 64
const WARM_UP = 20_000

const PARAMS = {
  meta: {
    AgentID: 'main',
    TurnID: 'main-turn-7',
    ParentTurnID: '',
    SessionKey: 'inbox/ana/1',
    Iteration: 1,
    TracePath: 'turn.tool.before',
    Source: 'runTurn',
  },
  channel: 'inbox',
  chat_id: 'c-1',
  tool: 'exec',
  arguments: { command: 'git status --short', cwd: 'src' },
  tool_call_id: 't7.1.0',
}
const CALL = { callId: 't7.1.0', tool: 'exec', arguments: { command: 'git status --short', cwd: 'src' } }

export async function benchHooks(rounds: number): Promise<Figure[]> {
  const cores = coresOf(process.pid)
  if (cores === undefined) return compare(rounds, 'all cores')
  runOn(cores.split(/[-,]/)[0]!)
  try {
    const one = await compare(rounds, 'one core')
    runOn(cores)
    return [...one, ...(await compare(rounds, 'all cores'))]
  } finally {
    runOn(cores)
  }
}

async function compare(rounds: number, where: string): Promise<Figure[]> {
  const theirs = `vscode-jsonrpc ${jsonRpcVersion()}`
  const child = (side: string) => [process.execPath, join(import.meta.dirname, 'hooks-child.ts'), side]
  const closing: (() => unknown)[] = []
  try {
    const channel = openChannel(child('ours'), closing)
    const hook = openHook(child('ours'), closing)
    const connection = await openConnection(child('theirs'), closing)
    const place: Omit<HookContext, 'signal'> = {
      session: 'inbox/ana/1',
      turn: 't7',
      step: 1,
      agent: { name: 'main' },
      by: 'ana',
    }
    const calls: [string, () => Promise<unknown>][] = [
      ['banksman, the channel', () => channel.rpc.call('hook.before_tool', PARAMS)],
      [theirs, () => connection.sendRequest('hook.before_tool', PARAMS)],
      // Each call has a signal of its own, as in the chain.
      [
        'banksman, the whole hook',
        async () => hook.beforeTool!(CALL, { ...place, signal: new AbortController().signal }),
      ],
    ]
    const contestants: Slicing[] = []
    for (const [name, call] of calls) {
      const work = async () => void (await call())
      await inFlight(WIDTH, WARM_UP, work)
      contestants.push(
        { name: `${where}: ${name}, one at a time`, calls: ONE, slice: () => inFlight(1, ONE, work) },
        {
          name: `${where}: ${name}, ${WIDTH} in flight`,
          calls: MANY,
          slice: () => inFlight(WIDTH, MANY, work),
        },
      )
    }
    const rates = await interleaveSlices(contestants, rounds)
    const [ours, oursMany, peer, peerMany, whole, wholeMany] = rates as [
      Figure,
      Figure,
      Figure,
      Figure,
      Figure,
      Figure,
    ]
    return [
      ...rates,
      ratio(`${where}: the channel / ${theirs}, one at a time (target 2.5)`, ours, peer),
      ratio(`${where}: the channel / ${theirs}, ${WIDTH} in flight (target 4)`, oursMany, peerMany),
      ratio(`${where}: the whole hook / ${theirs}, one at a time`, whole, peer),
      ratio(`${where}: the whole hook / ${theirs}, ${WIDTH} in flight`, wholeMany, peerMany),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

/** Undefined where there is no taskset. */
function coresOf(pid: number): string | undefined {
  const { stdout, status } = spawnSync('taskset', ['-cp', String(pid)], { encoding: 'utf8' })
  return status === 0 ? /: ([\d,-]+)\s*$/.exec(stdout)?.[1] : undefined
}

/** All threads of this process; children follow. */
function runOn(cores: string): void {
  spawnSync('taskset', ['-acp', cores, String(process.pid)])
}

interface Slicing {
  name: string
  calls: number
  slice(): Promise<void>
}

/** A round is several slices, in turn: within a few hundred milliseconds the neighbours are mostly the same for all. */
async function interleaveSlices(contestants: readonly Slicing[], rounds: number): Promise<Figure[]> {
  const rates = contestants.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    const spentMs = contestants.map(() => 0)
    for (let turn = 0; turn < SLICES; turn++) {
      for (const [index, { slice }] of contestants.entries()) {
        const startedAt = performance.now()
        await slice()
        spentMs[index]! += performance.now() - startedAt
      }
    }
    for (const [index, { calls }] of contestants.entries()) {
      rates[index]!.push((calls * SLICES * 1000) / spentMs[index]!)
    }
  }
  return contestants.map(({ name }, index) => figure(name, '/s', rates[index]!))
}

function openChannel(command: string[], closing: (() => unknown)[]): HookProcess {
  const { PATH = '' } = process.env
  const opened = startHookProcess({
    command,
    dir: undefined,
    environment: { PATH },
    log: (_, line) => console.error(line),
  })
  closing.push(() => opened.end(2000))
  return opened
}

function openHook(command: string[], closing: (() => unknown)[]): ProcessHook {
  const hook = createProcessHook({ name: 'bench', command, intercept: ['before_tool'], log: console.error })
  closing.push(() => hook.close())
  return hook
}

async function openConnection(
  [program = '', ...words]: string[],
  closing: (() => unknown)[],
): Promise<MessageConnection> {
  const { createMessageConnection, StreamMessageReader, StreamMessageWriter } = await loadJsonRpc()
  const child: ChildProcess = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout!),
    new StreamMessageWriter(child.stdin!),
  )
  connection.listen()
  closing.push(() => {
    connection.dispose()
    child.kill()
  })
  return connection
}
