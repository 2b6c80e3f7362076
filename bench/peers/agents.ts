/**
 * What an approval adds to a tool call: the same conversation with the same tool in our loop, in LangGraph.js and in OpenAI
 * Agents JS, with approval and without, all on SQLite files on the same disk with a write-ahead log and `synchronous=FULL`.
 * Whoever approves is in the same process and answers at once, so what is added is what the loop does for it.
 *
 * Approved means: the call waits, that it waits is committed, the answer comes, and the tool runs. What that takes differs,
 * as a trace of the syncs shows. For each approved call ours adds three, for the question, the decision and the claim, and
 * the report goes along with the result, which is logged either way. LangGraph, as durable as it is by default, adds two,
 * for the interrupt and for the answer. Agents JS adds one, for the paused state, and keeps neither the answer nor that the
 * tool has begun; without approval it keeps nothing, so all of its commits count as added.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from '../bench-gateway.ts'
import { type Figure, figure, microsecondsEach, ratio } from '../measure.ts'
import { openBanksman } from './agents/banksman.ts'
import { type AgentLoop, answerFor } from './agents/conversation.ts'
import { openDatabase } from './agents/database.ts'
import { installAgentPeers } from './agents/install.ts'
import { openLangGraph } from './agents/langgraph.ts'
import { openAgentsSdk } from './agents/openai-agents.ts'
import type { PeerBench } from './peer-bench.ts'

/** Calls in a conversation. What keeps the whole conversation with every step pays for a longer one. */
const LENGTHS = [1, 10]
/** Calls of one contestant in one round, a few at a time in turns: two of them are subtracted, and must have the same neighbours. */
const CALLS = 100
const AT_A_TIME = 20
const WARM_UP = 300
/** Nothing takes nearly as long; a contestant that hangs ends the run. */
const ROUND_WITHIN_MS = 5 * 60_000
const TARGET = 'target 0.50, aim 0.33'

/** A loop with approval, and the same loop without. */
interface Pair {
  name: string
  plain: AgentLoop
  approved: AgentLoop
}

export const agentsBench: PeerBench = {
  install: installAgentPeers,
  async *run(rounds) {
    const folder = benchFolder()
    const opened: AgentLoop[] = []
    const open = async (loop: Promise<AgentLoop>) => {
      opened.push(await loop)
      return opened.at(-1)!
    }
    try {
      const sdk = await open(openAgentsSdk(folder, 'none'))
      const pairs: Pair[] = [
        {
          name: 'Banksman',
          plain: await open(openBanksman(folder, false)),
          approved: await open(openBanksman(folder, true)),
        },
        {
          name: 'LangGraph.js',
          plain: await open(openLangGraph(folder, false)),
          approved: await open(openLangGraph(folder, true)),
        },
        {
          name: 'OpenAI Agents JS, state read back',
          plain: sdk,
          approved: await open(openAgentsSdk(folder, 'read back')),
        },
        {
          name: 'OpenAI Agents JS, state held in memory',
          plain: sdk,
          approved: await open(openAgentsSdk(folder, 'held in memory')),
        },
      ]
      for (const length of LENGTHS) {
        const name = `approved tool calls, ${length} in a conversation; all on SQLite with WAL and synchronous=FULL`
        yield { name, figures: await compare(pairs, length, rounds, folder) }
      }
    } finally {
      for (const loop of opened) await loop.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function compare(
  pairs: readonly Pair[],
  length: number,
  rounds: number,
  folder: string,
): Promise<Figure[]> {
  const loops = [...new Set(pairs.flatMap(({ plain, approved }) => [plain, approved]))]
  const approved = new Set(pairs.map((pair) => pair.approved))
  for (const loop of loops) await converse(loop, WARM_UP, length, approved.has(loop))
  const commits = await openCommits(join(folder, `commits-${length}.db`))
  const figures = await takeTurns(
    [
      ...loops.map((loop) => ({
        name: `a call: ${loop.name}`,
        work: () => converse(loop, AT_A_TIME, length, approved.has(loop)),
      })),
      { name: 'for scale: one commit of 1 kB', work: async () => commits.run(AT_A_TIME) },
    ],
    rounds,
  )
  commits.close()
  const figureOf = (loop: AgentLoop) => figures[loops.indexOf(loop)]!
  const added = pairs.map((pair) => {
    const plain = figureOf(pair.plain).rounds
    const each = figureOf(pair.approved).rounds.map((value, index) => value - plain[index]!)
    return figure(`added by an approval: ${pair.name}`, 'µs', each)
  })
  const [ours, ...theirs] = added
  return [
    ...figures,
    ...added,
    ...theirs.map((their, index) =>
      ratio(`added: Banksman / ${pairs[index + 1]!.name} (${TARGET})`, ours!, their),
    ),
  ]
}

/** Microseconds for each of the calls. */
async function takeTurns(
  contestants: readonly { name: string; work: () => Promise<void> }[],
  rounds: number,
): Promise<Figure[]> {
  const results = contestants.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    const spent = contestants.map(() => 0)
    for (let done = 0; done < CALLS; done += AT_A_TIME) {
      for (const [index, { work }] of contestants.entries())
        spent[index]! += await microsecondsEach(CALLS, work)
    }
    for (const [index, each] of spent.entries()) results[index]!.push(each)
  }
  return contestants.map(({ name }, index) => figure(name, 'µs', results[index]!))
}

/** So many calls, in conversations of this length; each must have come out as it should. */
async function converse(loop: AgentLoop, calls: number, length: number, isAsked: boolean): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${loop.name} hangs`)), ROUND_WITHIN_MS)
  })
  try {
    await Promise.race([late, work()])
  } finally {
    clearTimeout(timer)
  }
  async function work(): Promise<void> {
    for (let done = 0; done < calls; done += length) {
      const found = await loop.converse(length)
      const expected = { answer: answerFor(length), ran: length, asked: isAsked ? length : 0 }
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        const [is, should] = [JSON.stringify(found), JSON.stringify(expected)]
        throw new Error(`${loop.name} gave ${is} and should have given ${should}: nothing was measured`)
      }
    }
    await loop.settle()
  }
}

async function openCommits(file: string): Promise<{ run(count: number): void; close(): void }> {
  const database = await openDatabase(file)
  database.exec('CREATE TABLE rows (text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)')
  const text = 'x'.repeat(1000)
  return {
    run(count) {
      for (let done = 0; done < count; done++) insert.run(text)
    },
    close: () => database.close(),
  }
}
