/** A whole run of an agent with one tool call that the policy allows, with and without Banksman, on SQLite. */
import { tool as langChainTool } from '@langchain/core/tools'
import * as sdk from 'ai'
import * as models from 'ai/test'
import { createAgent } from 'langchain'
import { z } from 'zod'
import { guardTools } from '../src/adapters/ai-sdk/index.ts'
import { banksman } from '../src/adapters/langchain/index.ts'
import type { Guard } from '../src/guard/contract.ts'
import { ScriptedChatModel } from '../test/adapters/langchain-driver.ts'
import { createScriptedSdkModel } from '../test/adapters/sdk-model.ts'
import { openBenchGateway } from './bench-gateway.ts'
import { type Figure, interleave, microsecondsEach, ratio } from './measure.ts'

const RUNS = 64
const SCHEMA = z.object({ path: z.string(), lines: z.number().default(10) })

export async function benchAdapters(rounds: number): Promise<Figure[]> {
  const { gateway, close } = await openBenchGateway()
  let sessions = 0
  const turns = [[{ id: 'c1', tool: 'read_file', args: { path: 'a.txt', lines: 3 } }], 'done']
  const read = ({ path, lines }: z.infer<typeof SCHEMA>) => `${path}:${lines}`
  const sdkTools = { read_file: sdk.tool({ inputSchema: SCHEMA, execute: read }) }
  const chainTools = [langChainTool(read, { name: 'read_file', description: 'Reads.', schema: SCHEMA })]

  async function runSdk(remember?: boolean): Promise<void> {
    const { model } = createScriptedSdkModel(sdk, models, turns)
    const session = `bench-adapters-${++sessions}`
    const tools = remember === undefined ? sdkTools : guardTools(gateway, sdkTools, { session, remember })
    await sdk.generateText({ model, tools, prompt: 'go', stopWhen: sdk.stepCountIs(3) })
  }

  async function runLangChain(remember?: boolean): Promise<void> {
    const middleware = remember === undefined ? [] : [banksman(gateway as Guard, { remember })]
    const agent = createAgent({ model: new ScriptedChatModel(turns), tools: chainTools, middleware })
    const configurable = { thread_id: `bench-adapters-${++sessions}` }
    await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, { configurable })
  }

  const contestant = (name: string, atOnce: number, run: () => Promise<void>) => ({
    name,
    unit: 'µs',
    run: () =>
      microsecondsEach(RUNS, async () => {
        for (let count = 0; count < RUNS; count += atOnce)
          await Promise.all(Array.from({ length: atOnce }, run))
        // What nobody waited for is part of the price.
        await gateway.flush()
      }),
  })
  const cases = [
    { name: 'AI SDK 7', run: runSdk, target: '1.5' },
    { name: 'LangChain', run: runLangChain, target: '1.3' },
  ].flatMap(({ name, run, target }) =>
    [1, 16].map((atOnce) => ({ name: `${name}, ${atOnce} at once`, atOnce, run, target })),
  )
  const contestants = cases.flatMap(({ name, atOnce, run }) => [
    contestant(`${name}, unguarded`, atOnce, () => run()),
    contestant(`${name}, guarded`, atOnce, () => run(true)),
    contestant(`${name}, guarded, results not kept`, atOnce, () => run(false)),
  ])
  try {
    // Once to warm up.
    for (const { run } of contestants) await run()
    const figures = await interleave(contestants, rounds)
    const ratios = cases.flatMap(({ name, target }, index) => {
      const [bare, kept, plain] = figures.slice(index * 3, index * 3 + 3) as [Figure, Figure, Figure]
      return [
        ratio(`${name}, guarded (target at most ${target})`, kept, bare),
        ratio(`${name}, guarded, results not kept`, plain, bare),
      ]
    })
    return [...figures, ...ratios]
  } finally {
    await close()
  }
}
