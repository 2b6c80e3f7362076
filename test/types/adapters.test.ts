/** What the adapters do to the types of tools: nothing. */
import { tool as chainTool, type DynamicStructuredTool } from '@langchain/core/tools'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { generateText, stepCountIs, ToolLoopAgent, tool } from 'ai'
import { createAgent } from 'langchain'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { guardTools, pausing, sessionEnded } from '../../src/adapters/ai-sdk/index.ts'
import { banksman, guardTools as guardChainTools } from '../../src/adapters/langchain/index.ts'
import type { Client } from '../../src/client/index.ts'
import type { Gateway, Guard } from '../../src/index.ts'

describe('the types of tools behind a guard', () => {
  it('AI SDK: names, inputs and outputs stay', () => {
    const tools = {
      send_mail: tool({
        inputSchema: z.object({ to: z.string() }),
        execute: async ({ to }) => ({ sentTo: to }),
      }),
      show_map: tool({ inputSchema: z.object({ at: z.number() }), outputSchema: z.string() }),
    }
    type Tools = typeof tools
    type Model = Parameters<typeof generateText>[0]['model']
    const use = async (guard: Guard, model: Model) => {
      const guarded = guardTools(guard, tools, { session: 's1' })
      expectTypeOf(guarded).toEqualTypeOf<Tools>()
      const { toolResults } = await generateText({
        model,
        tools: guarded,
        prompt: 'go',
        stopWhen: sessionEnded,
      })
      for (const result of toolResults)
        if (result.toolName === 'send_mail' && result.dynamic !== true)
          expectTypeOf(result.output).toEqualTypeOf<{ sentTo: string }>()
      const {
        tools: asking,
        toolApproval,
        responses,
      } = pausing(guard, tools, {
        session: ({ context }) => String(context),
      })
      expectTypeOf(asking).toEqualTypeOf<Tools>()
      const run = await generateText({ model, tools: asking, toolApproval, prompt: 'go' })
      const messages = [...run.responseMessages]
      const answer = await responses(messages)
      if (answer !== undefined) messages.push(answer)
      // @ts-expect-error the input of a tool stays what its schema says
      guarded.send_mail.execute?.({ to: 7 }, { toolCallId: 'c1', messages: [] })
      // @ts-expect-error a gateway that was not awaited is no guard
      guardTools(Promise.resolve(guard), tools, { session: 's1' })
      new ToolLoopAgent({ model, tools: asking, toolApproval, stopWhen: [stepCountIs(3), sessionEnded] })
      // @ts-expect-error a session has no default
      guardTools(guard, tools, {})
      // @ts-expect-error these are no tools of the AI SDK
      guardTools(guard, { x: { schema: z.object({}) } }, { session: 's1' })
    }
    expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
  })

  it('LangChain: a tuple of tools stays a tuple', () => {
    const use = (guard: Guard, model: string) => {
      const send = chainTool(({ to }: { to: string }) => to, {
        name: 'send',
        schema: z.object({ to: z.string() }),
      })
      const tools = guardChainTools(guard, [send] as const, { pause: true })
      expectTypeOf(tools).toEqualTypeOf<readonly [typeof send]>()
      expectTypeOf(tools[0]).toExtend<DynamicStructuredTool>()
      expectTypeOf(tools[0].invoke).returns.resolves.toEqualTypeOf<
        Awaited<ReturnType<(typeof send)['invoke']>>
      >()
      // @ts-expect-error the input of a tool stays what its schema says
      tools[0].invoke({ to: 7 })
      // @ts-expect-error tools of LangChain are a list
      guardChainTools(guard, { send })
      // @ts-expect-error a gateway that was not awaited is no guard
      guardChainTools(Promise.resolve(guard), [send])
      // @ts-expect-error a gateway that was not awaited is no guard
      banksman(Promise.resolve(guard))
      // @ts-expect-error a session is a text, or a function that gives one
      banksman(guard, { session: 7 })
      new ToolNode(guardChainTools(guard, [send]))
      createAgent({ model, tools: [send], middleware: [banksman(guard, { pause: true })] })
    }
    expectTypeOf(use).toBeFunction()
  })

  it('a gateway and a client are guards', () => {
    expectTypeOf<Gateway>().toExtend<Guard>()
    expectTypeOf<Client>().toExtend<Guard>()
  })
})
