/** What the adapters do to the types of tools: nothing. */
import { FunctionTool, LlmAgent } from '@google/adk'
import { Agent as MastraAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { Agent, RunState, tool } from '@openai/agents'
import type { Guard } from 'banksman'
import * as adk from 'banksman/adk'
import * as mastra from 'banksman/mastra'
import * as agents from 'banksman/openai-agents'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const schema = z.object({ to: z.string(), copies: z.number().default(1) })

it('OpenAI Agents: tools stay as they are, and an agent takes them', () => {
  const use = async (guard: Guard, saved: string) => {
    const make = agents.guardedTool(guard, tool, { session: 's1' })
    expectTypeOf(make).toEqualTypeOf<typeof tool>()
    const send = make({
      name: 'send_mail',
      description: 'Sends.',
      parameters: schema,
      execute: ({ to, copies }) => {
        expectTypeOf(to).toEqualTypeOf<string>()
        expectTypeOf(copies).toEqualTypeOf<number>()
        return to
      },
    })
    const { tools, update } = agents.pausing(guard, [send], { session: 's1' })
    expectTypeOf(tools).toEqualTypeOf<(typeof send)[]>()
    const agent = new Agent({ name: 'main', tools: agents.guardTools(guard, [send], { session: 's1' }) })
    const state = await RunState.fromString(agent, saved)
    expectTypeOf(await update(state)).toEqualTypeOf<number>()
  }
  expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
})

it('Mastra: names, inputs and outputs stay', () => {
  const use = async (guard: Guard, model: ConstructorParameters<typeof MastraAgent>[0]['model']) => {
    const send_mail = createTool({
      id: 'send_mail',
      description: 'Sends.',
      inputSchema: schema,
      execute: async ({ to }) => ({ sentTo: to }),
    })
    const tools = mastra.guardTools(guard, { send_mail }, { session: 's1', pause: true })
    expectTypeOf(tools).toEqualTypeOf<{ send_mail: typeof send_mail }>()
    const agent = new MastraAgent({ id: 'main', name: 'main', instructions: 'Do it.', model, tools })
    const ended = await mastra.resumeRun(agent, 'run-1')
    expectTypeOf(ended?.text).toEqualTypeOf<string | undefined>()
  }
  expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
})

it('ADK: tools stay as they are, and an agent takes them', () => {
  const use = async (guard: Guard, session: adk.AdkSession) => {
    const send = new FunctionTool({
      name: 'send_mail',
      description: 'Sends.',
      parameters: schema,
      execute: ({ to }) => to,
    })
    const { tools, confirmations } = adk.pausing(guard, [send])
    expectTypeOf(tools).toEqualTypeOf<(typeof send)[]>()
    new LlmAgent({ name: 'main', model: 'scripted', tools })
    expectTypeOf(await confirmations(session)).toEqualTypeOf<adk.AdkMessage | undefined>()
  }
  expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
})
