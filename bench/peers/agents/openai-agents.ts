/**
 * OpenAI's Agents SDK for JavaScript. It keeps nothing by itself: without approval there is no store at all. With approval
 * the run ends at the call, its state is made a text and committed to SQLite, and the run goes on from that text, as its
 * guide has it for answers that come later; or, which is less than ours promises, from the object that is still in memory.
 */
import { join } from 'node:path'
import {
  type AgentLoop,
  type Conversed,
  DESCRIPTION,
  INSTRUCTIONS,
  MAX_STEPS,
  nextMove,
  TOOL,
  wordsFor,
} from './conversation.ts'
import { openDatabase } from './database.ts'
import { agentPeerFile } from './install.ts'

export type Approval = 'none' | 'read back' | 'held in memory'

interface Item {
  type?: string
  role?: string
  content?: string | { text: string }[]
  output?: string | { text: string }
}

interface RunState {
  toString(): string
  approve(item: object): void
  getInterruptions(): object[]
}

interface RunResult {
  state: RunState
  interruptions?: object[]
  finalOutput?: string
}

interface AgentsModule {
  Agent: new (about: object) => object
  Runner: new (about: {
    tracingDisabled: boolean
  }) => {
    run(agent: object, input: string | RunState, options: { maxTurns: number }): Promise<RunResult>
  }
  RunState: { fromString(agent: object, text: string): Promise<RunState> }
  Usage: new () => object
  tool(about: object): object
  setTracingDisabled(isDisabled: boolean): void
}

interface Zod {
  object(shape: Record<string, unknown>): unknown
  number(): unknown
}

export async function openAgentsSdk(folder: string, approval: Approval): Promise<AgentLoop> {
  const sdk = (await import(agentPeerFile('@openai/agents', 'dist/index.mjs'))) as AgentsModule
  const { z } = (await import(agentPeerFile('zod', 'index.js'))) as { z: Zod }
  // Nothing is told to its vendor while it is measured.
  sdk.setTracingDisabled(true)

  const model = {
    async getResponse({ input }: { input: string | Item[] }) {
      const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
      const words = textOf(items.find(({ role }) => role === 'user')?.content)
      const results = items
        .filter(({ type }) => type === 'function_call_result')
        .map(({ output }) => (typeof output === 'string' ? output : (output?.text ?? '')))
      const move = nextMove(words, results)
      const said = {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: move.said }],
      }
      const call = {
        type: 'function_call',
        callId: `call_${results.length}`,
        name: TOOL,
        status: 'completed',
        arguments: move.kind === 'call' ? JSON.stringify(move.arguments) : '',
      }
      return { usage: new sdk.Usage(), output: move.kind === 'call' ? [said, call] : [said] }
    },
  }
  let ran = 0
  const add = sdk.tool({
    name: TOOL,
    description: DESCRIPTION,
    parameters: z.object({ a: z.number(), b: z.number() }),
    needsApproval: approval !== 'none',
    async execute({ a, b }: { a: number; b: number }) {
      ran++
      return String(a + b)
    },
  })
  const agent = new sdk.Agent({ name: 'adder', instructions: INSTRUCTIONS, model, tools: [add] })
  const runner = new sdk.Runner({ tracingDisabled: true })
  const options = { maxTurns: MAX_STEPS }

  const database = await openDatabase(join(folder, `agents-sdk-${approval.replaceAll(' ', '-')}.db`))
  database.exec('CREATE TABLE runs (id TEXT PRIMARY KEY, state TEXT NOT NULL)')
  const write = database.prepare('INSERT OR REPLACE INTO runs (id, state) VALUES (?, ?)')
  const read = database.prepare('SELECT state FROM runs WHERE id = ?')

  /** Commits where the run stands, and gives it back as whoever goes on with it has it. */
  async function keep(id: string, state: RunState): Promise<RunState> {
    write.run(id, state.toString())
    if (approval === 'held in memory') return state
    const { state: text } = read.get(id) as { state: string }
    return sdk.RunState.fromString(agent, text)
  }

  let runs = 0
  return {
    name:
      approval === 'none'
        ? 'OpenAI Agents JS, no approval, nothing kept'
        : `OpenAI Agents JS, needsApproval, RunState stored and ${approval}`,
    async converse(calls): Promise<Conversed> {
      const id = `run-${runs++}`
      const before = ran
      let asked = 0
      let result = await runner.run(agent, wordsFor(calls), options)
      while ((result.interruptions?.length ?? 0) > 0) {
        asked++
        const state = await keep(id, result.state)
        for (const item of state.getInterruptions()) state.approve(item)
        result = await runner.run(agent, state, options)
      }
      return { answer: result.finalOutput ?? '', ran: ran - before, asked }
    },
    async settle() {},
    async close() {
      database.close()
    },
  }
}

function textOf(content: Item['content']): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => text).join('')
}
