/**
 * What it takes to consult a process hook: a `before_tool` request of about 300 bytes to one Node child that answers
 * `continue`. Our channel and SDK beside vscode-jsonrpc on both ends, in one run; and the whole hook as the chain calls it,
 * with its translation and a time limit.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { HookContext } from '../src/agents/hooks/hook.ts'
import { type HookProcess, startHookProcess } from '../src/agents/hooks/process/hook-process.ts'
import { createProcessHook, type ProcessHook } from '../src/agents/hooks/process/process-hook.ts'
import { inFlight } from './house.ts'
import { type Figure, figure, processorMs, ratio } from './measure.ts'
import { jsonRpcVersion, loadJsonRpc, type MessageConnection } from './peers/json-rpc/load.ts'

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
        { name: `${name}, one at a time`, calls: ONE, slice: () => inFlight(1, ONE, work) },
        { name: `${name}, ${WIDTH} in flight`, calls: MANY, slice: () => inFlight(WIDTH, MANY, work) },
      )
    }
    const { rates, processor } = await interleaveSlices(contestants, rounds)
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
      ratio(`the channel / ${theirs}, one at a time (target 2.5)`, ours, peer),
      ratio(`the channel / ${theirs}, ${WIDTH} in flight (target 4)`, oursMany, peerMany),
      ratio(`the whole hook / ${theirs}, one at a time`, whole, peer),
      ratio(`the whole hook / ${theirs}, ${WIDTH} in flight`, wholeMany, peerMany),
      ratio(
        "the same by the host's processor time: the channel, one at a time",
        processor[0]!,
        processor[2]!,
      ),
      ratio(
        `the same by the host's processor time: the channel, ${WIDTH} in flight`,
        processor[1]!,
        processor[3]!,
      ),
    ]
  } finally {
    for (const close of closing) await close()
  }
}

interface Slicing {
  name: string
  calls: number
  slice(): Promise<void>
}

/**
 * A round is several slices, in turn: how soon a waiting process is woken depends on the neighbours, and within a few
 * hundred milliseconds these are mostly the same for all. Calls a second by the clock, and by this thread's processor time.
 */
async function interleaveSlices(
  contestants: readonly Slicing[],
  rounds: number,
): Promise<{ rates: Figure[]; processor: Figure[] }> {
  const measured = contestants.map(() => ({ rates: [] as number[], processor: [] as number[] }))
  for (let round = 0; round < rounds; round++) {
    const spent = contestants.map(() => ({ ms: 0, processorMs: 0 }))
    for (let turn = 0; turn < SLICES; turn++) {
      for (const [index, { slice }] of contestants.entries()) {
        const startedAt = performance.now()
        spent[index]!.processorMs += await processorMs(slice)
        spent[index]!.ms += performance.now() - startedAt
      }
    }
    for (const [index, { calls }] of contestants.entries()) {
      measured[index]!.rates.push((calls * SLICES * 1000) / spent[index]!.ms)
      measured[index]!.processor.push((calls * SLICES * 1000) / spent[index]!.processorMs)
    }
  }
  return {
    rates: contestants.map(({ name }, index) => figure(name, '/s', measured[index]!.rates)),
    processor: contestants.map(({ name }, index) => figure(name, '/s', measured[index]!.processor)),
  }
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
