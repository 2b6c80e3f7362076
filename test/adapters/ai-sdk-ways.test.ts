/** What only the AI SDK does. */

import * as sdk from 'ai'
import { generateText, jsonSchema, stepCountIs, ToolLoopAgent, tool } from 'ai'
import * as models from 'ai/test'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { guardTools, pausing, sessionEnded } from '../../src/adapters/ai-sdk/index.ts'
import type { Turn } from '../../src/testing/adapter-suite.ts'
import type { GuardUnderTest } from '../../src/testing/guard-suite.ts'
import { openNear } from '../guard/open-guards.ts'
import { createScriptedSdkModel } from './sdk-model.ts'

async function open(turns: Turn[]) {
  const under = await openNear()
  onTestFinished(() => under.close())
  return { under, ...createScriptedSdkModel(sdk, models, turns) }
}

async function decideFirst(under: GuardUnderTest, input: object): Promise<void> {
  await expect.poll(under.pending).toHaveLength(1)
  const [{ id, digest }] = (await under.pending()) as unknown as [{ id: string; digest: string }]
  await under.decide(id, { digest, ...input } as never)
}

const calling = (name: string, args: object): Turn[] => [[{ id: 'c1', tool: name, args }], 'done']

describe('the AI SDK', () => {
  it('an edit is told to the model alone: the output keeps its type, and the tool its own words for the model', async () => {
    const { under, model, prompts } = await open(calling('send_mail', { to: 'ana' }))
    const send_mail = tool({
      inputSchema: z.object({ to: z.string() }),
      execute: ({ to }) => ({ sentTo: to }),
      toModelOutput: ({ output }) => ({ type: 'text', value: `It went to ${output.sentTo}.` }),
    })
    const tools = guardTools(under.guard, { send_mail }, { session: 's1' })
    const running = generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(3) })
    await decideFirst(under, { decision: 'edit', arguments: { to: 'dora' } })
    const { steps } = await running
    expect(steps[0]!.toolResults[0]!.output).toEqual({ sentTo: 'dora' })
    const [message] = prompts.at(-1)!.filter(({ role }) => role === 'tool')
    expect(message!.content).toMatchObject([
      {
        output: {
          type: 'content',
          value: [
            { text: 'ana changed the arguments of this call before it ran. It ran with {"to":"dora"}.' },
            { text: 'It went to dora.' },
          ],
        },
      },
    ])
  })

  it('agents and tools of a JSON Schema work as well; the schema is worked out once', async () => {
    const { under, model } = await open(calling('read_mail', { n: 1 }))
    let asked = 0
    const inputSchema = jsonSchema<{ n: number }>(() => {
      asked++
      return { type: 'object', properties: { n: { type: 'number' } } }
    })
    const read_mail = tool({ inputSchema, execute: ({ n }) => `mail ${n}` })
    for (const session of ['s1', 's2', 's3']) {
      const tools = guardTools(under.guard, { read_mail }, { session })
      const agent = new ToolLoopAgent({ model, tools, stopWhen: [stepCountIs(3), sessionEnded] })
      expect((await agent.generate({ prompt: 'go' })).text).toBe('done')
    }
    expect(asked).toBe(1)
  })

  it('the session and the id of a call may come from the context that the tool is given', async () => {
    const { under, model } = await open(calling('send_mail', {}))
    const contextSchema = z.object({ chat: z.string() })
    const send_mail = tool({
      inputSchema: z.object({}),
      contextSchema,
      execute: (_, { context }) => context.chat,
    })
    const { tools, toolApproval } = pausing(
      under.guard,
      { send_mail },
      {
        session: ({ context }) => (context as { chat: string }).chat,
        callId: ({ toolName, toolCallId }) => `${toolName}.${toolCallId}`,
      },
    )
    const toolsContext = { send_mail: { chat: 'chat-9' } }
    await generateText({ model, tools, toolApproval, toolsContext, prompt: 'go', stopWhen: stepCountIs(3) })
    expect(await under.pending()).toMatchObject([{ session: 'chat-9', callId: 'send_mail.c1' }])
  })

  it('calls that the provider runs, and tools of others, are left to the SDK', async () => {
    const { under } = await open([])
    const tools = {
      show_map: tool({ inputSchema: z.object({}) }),
      send_mail: tool({ inputSchema: z.object({}), execute: () => 1 }),
    }
    const { toolApproval } = pausing(under.guard, tools, { session: 's1', warn: () => {} })
    const ask = (toolName: string, providerExecuted: boolean) =>
      toolApproval({ toolCall: { toolName, toolCallId: 'c1', input: {}, providerExecuted } })
    for (const [name, isProviders] of [
      ['show_map', false],
      ['send_mail', true],
      ['constructor', false],
    ] as const)
      expect(await ask(name, isProviders)).toEqual({ type: 'not-applicable' })
    expect(await under.pending()).toEqual([])
    expect(await ask('send_mail', false)).toMatchObject({ type: 'user-approval' })
  })

  it('a limit of our own begins when the tool runs', async () => {
    const { under, model, prompts } = await open(calling('send_mail', {}))
    const send_mail = tool({
      inputSchema: z.object({}),
      execute: (_, { abortSignal }) => untilAborted(abortSignal!),
    })
    const tools = guardTools(under.guard, { send_mail }, { session: 's1', timeoutMs: 1 })
    const running = generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(3) })
    await decideFirst(under, { decision: 'approve' })
    await running
    expect(JSON.stringify(prompts.at(-1))).toContain('TimeoutError')
  })

  it("P12: without a person in between, the SDK's own limit ends the tool", async () => {
    const { under, model, prompts } = await open(calling('read_mail', {}))
    const read_mail = tool({
      inputSchema: z.object({}),
      execute: (_, { abortSignal }) => untilAborted(abortSignal!),
    })
    const tools = guardTools(under.guard, { read_mail }, { session: 's1' })
    await generateText({ model, tools, prompt: 'go', stopWhen: stepCountIs(3), timeout: { toolMs: 20 } })
    expect(JSON.stringify(prompts.at(-1))).toContain('TimeoutError')
  })
})

/** Rejects with the reason. */
function untilAborted(signal: AbortSignal): Promise<string> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
