/** What the adapter does to the types of tools of AI SDK 6: nothing. */
import { generateText, tool } from 'ai'
import type { Guard } from 'banksman'
import { pausing, sessionEnded } from 'banksman/ai-sdk'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'

it('AI SDK 6: names, inputs and outputs stay', () => {
  const send_mail = tool({
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => ({ sentTo: to }),
  })
  type Model = Parameters<typeof generateText>[0]['model']
  const use = async (guard: Guard, model: Model) => {
    const { tools, responses } = pausing(guard, { send_mail }, { session: 's1' })
    expectTypeOf(tools).toEqualTypeOf<{ send_mail: typeof send_mail }>()
    const run = await generateText({ model, tools, prompt: 'go', stopWhen: [sessionEnded] })
    const messages = [...run.response.messages]
    const answer = await responses(messages)
    if (answer !== undefined) messages.push(answer)
    // @ts-expect-error the input of a tool stays what its schema says
    tools.send_mail.execute?.({ to: 7 }, { toolCallId: 'c1', messages: [] })
    // @ts-expect-error a session has no default
    pausing(guard, { send_mail }, {})
  }
  expectTypeOf(use).returns.toEqualTypeOf<Promise<void>>()
})
