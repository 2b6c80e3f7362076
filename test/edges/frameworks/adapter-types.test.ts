/**
 * What the adapters do to the types of tools: nothing. `tsc` compiles this before the tests run: what must not compile is marked, and
 * is an error where it does.
 */
import { tool as claudeTool, createSdkMcpServer, type Options, query } from '@anthropic-ai/claude-agent-sdk'
import { FunctionTool, LlmAgent } from '@google/adk'
import { Agent as MastraAgent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { Agent, RunState, tool } from '@openai/agents'
import type { Guard } from 'banksman'
import * as adk from 'banksman/adk'
import * as claude from 'banksman/claude-agent-sdk'
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
    // @ts-expect-error the input of a tool stays what its schema says
    make({ name: 'x', description: 'x', parameters: schema, execute: ({ cc }) => cc })
    // @ts-expect-error what was saved is read first
    await update(saved)
    // @ts-expect-error a session has no default
    agents.guardTools(guard, [send], {})
    // @ts-expect-error tools of the SDK are a list
    agents.guardTools(guard, { send }, { session: 's1' })
    // @ts-expect-error a gateway that was not awaited is no guard
    agents.guardTools(Promise.resolve(guard), [send], { session: 's1' })
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
    // @ts-expect-error the input of a tool stays what its schema says
    await tools.send_mail.execute?.({ to: 7 }, {})
    // @ts-expect-error a tool that wasn't given isn't there
    tools.read_inbox
    // @ts-expect-error a session has no default
    mastra.guardTools(guard, { send_mail }, { pause: true })
    // @ts-expect-error a gateway that was not awaited is no guard
    mastra.guardTools(Promise.resolve(guard), { send_mail }, { session: 's1' })
    // @ts-expect-error a run has an id
    await mastra.resumeRun(agent)
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
    // @ts-expect-error the session itself, and not its id
    await confirmations('session-1')
    // @ts-expect-error tools of the kit are a list
    adk.guardTools(guard, { send })
    // @ts-expect-error a gateway that was not awaited is no guard
    adk.guardTools(Promise.resolve(guard), [send])
  }
  expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
})

it('Claude Agent SDK: the options fit beside tools, which stay as they are', () => {
  const use = (guard: Guard, signal: AbortSignal) => {
    const send = claudeTool('send_mail', 'Sends.', { to: z.string() }, async ({ to }) => {
      expectTypeOf(to).toEqualTypeOf<string>()
      return { content: [{ type: 'text', text: to }] }
    })
    const mail = createSdkMcpServer({ name: 'mail', tools: [send] })
    const options: Options = { mcpServers: { mail }, ...claude.banksman(guard, { session: 's1', signal }) }
    expectTypeOf(claude.banksman(guard)).toExtend<Pick<Options, 'hooks' | 'canUseTool'>>()
    // @ts-expect-error the SDK has no pause that keeps all calls of a step
    claude.banksman(guard, { pause: true })
    // @ts-expect-error a gateway that was not awaited is no guard
    claude.banksman(Promise.resolve(guard))
    return query({ prompt: 'go', options })
  }
  expectTypeOf(use).toBeFunction()
})
