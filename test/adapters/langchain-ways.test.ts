/** What only LangChain and LangGraph do. */
import { ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { banksman, guardTools, type LangChainOptions } from '../../src/adapters/langchain/index.ts'
import type { Turn } from '../../src/testing/adapter-suite.ts'
import { openNear } from '../guard/open-guards.ts'
import { ScriptedChatModel } from './langchain-driver.ts'

const GO = { messages: [{ role: 'user' as const, content: 'go' }] }

async function openAgent(turns: Turn[], tools: object[], options?: LangChainOptions) {
  const under = await openNear()
  onTestFinished(() => under.close())
  const model = new ScriptedChatModel(turns)
  const made = (middleware: ReturnType<typeof banksman>[]) =>
    createAgent({ model, tools: tools as never, checkpointer: new MemorySaver(), middleware })
  return { under, model, agent: made([banksman(under.guard, options)]), bare: made([]) }
}

const mail = (run: (args: { to: string }) => unknown = ({ to }) => `sent to ${to}`) =>
  tool(run as () => string, {
    name: 'read_mail',
    description: 'm',
    schema: z.object({ to: z.string() }) as never,
  })

const calling = (name: string, args: object = { to: 'ana' }): Turn[] => [
  [{ id: 'c1', tool: name, args }],
  'done',
]
const thread = (thread_id: string) => ({ configurable: { thread_id } })
const said = (messages: unknown[]) =>
  messages.filter((one) => ToolMessage.isInstance(one)).map(({ content, status }) => ({ content, status }))

describe('LangChain', () => {
  it('new words while a call waits: the model is told that nobody had decided, and the history is whole', async () => {
    const send = tool(() => 'sent', { name: 'send_mail', description: 'm', schema: z.object({}) as never })
    const { under, model, agent } = await openAgent([...calling('send_mail', {}), 'never mind'], [send], {
      pause: true,
    })
    const config = thread('t1')
    expect(await agent.invoke(GO, config)).toMatchObject({ __interrupt__: [{ value: { callId: 'c1' } }] })
    await agent.invoke({ messages: [{ role: 'user', content: 'forget it' }] }, config)
    const seen = model.seen.at(-1)!
    expect(seen.map((one) => one.getType())).toEqual(['human', 'ai', 'tool', 'human'])
    expect(JSON.parse(String(seen[2]!.content))).toMatchObject({ ran: false, state: 'pending' })
    expect(await under.pending()).toHaveLength(1)
  })

  it('a tool that throws is told in the same words as without Banksman', async () => {
    const broken = mail(() => {
      throw new TypeError('no such mailbox')
    })
    const { agent, bare } = await openAgent(calling('read_mail'), [broken])
    const guarded = said((await agent.invoke(GO, thread('t2'))).messages)
    expect(guarded).toEqual(said((await bare.invoke(GO, thread('t3'))).messages))
    expect(guarded[0]!.content).toContain('no such mailbox')
  })

  it('a command that a tool gives changes the graph', async () => {
    const command = mail(
      () =>
        new Command({
          update: { messages: [new ToolMessage({ content: 'from a command', tool_call_id: 'c1' })] },
        }),
    )
    const { agent } = await openAgent(calling('read_mail'), [command])
    expect(said((await agent.invoke(GO, thread('t4'))).messages)).toMatchObject([
      { content: 'from a command' },
    ])
  })

  it('P5: whichever way a guarded tool is called, the guard is asked', async () => {
    const under = await openNear()
    onTestFinished(() => under.close())
    const send = tool(() => expect.unreachable(), {
      name: 'mail_delete',
      description: 'm',
      schema: z.object({}),
    })
    const [guarded] = guardTools(under.guard, [send] as const, { session: 's', callId: () => 'c1' })
    const refused = { status: 'error', content: expect.stringContaining('"state":"denied"') }
    expect(await guarded.invoke({})).toMatchObject(refused)
    expect(await guarded.call({})).toMatchObject(refused)
    expect(await guarded.batch([{}])).toMatchObject([refused])
    for await (const part of await guarded.stream({})) expect(part).toMatchObject(refused)
    const [unnamed] = guardTools(under.guard, [send] as const, { session: 's' })
    expect(await unnamed.invoke({})).toMatchObject({
      content: expect.stringContaining('callId must not be empty'),
    })
  })

  it('a tool of a JSON Schema is checked before anybody is asked', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const count = tool((() => 'counted') as never, {
      name: 'send_count',
      description: 'c',
      schema: schema as never,
    })
    const { under, agent } = await openAgent(calling('send_count', { n: 'many' }), [count])
    const [told] = said((await agent.invoke(GO, thread('t5'))).messages)
    expect(told?.status).toBe('error')
    expect(JSON.parse(String(told?.content))).toMatchObject({ ran: false, state: 'invalid', tryAgain: true })
    expect(await under.pending()).toEqual([])
  })

  it('content of several parts and an artifact are kept, and an edit stands in front', async () => {
    const parts = tool((() => [[{ type: 'text', text: 'page one' }], { pages: 1 }]) as never, {
      name: 'send_page',
      description: 'p',
      schema: z.object({ n: z.number() }) as never,
      responseFormat: 'content_and_artifact',
    })
    const { under, agent } = await openAgent(calling('send_page', { n: 1 }), [parts], { session: 's6' })
    const running = agent.invoke(GO, thread('t6'))
    await expect.poll(under.pending).toHaveLength(1)
    const [{ id, digest }] = (await under.pending()) as unknown as [{ id: string; digest: string }]
    await under.decide(id, { decision: 'edit', digest, arguments: { n: 2 } })
    const toolMessage = (messages: unknown[]) =>
      messages.find((one) => ToolMessage.isInstance(one)) as ToolMessage
    const first = toolMessage((await running).messages)
    expect(first.content).toMatchObject([{ text: expect.stringContaining('changed') }, { text: 'page one' }])
    expect(first.artifact).toEqual({ pages: 1 })
    const again = toolMessage((await agent.invoke(GO, thread('t7'))).messages)
    expect({ content: again.content, artifact: again.artifact }).toEqual({
      content: first.content,
      artifact: first.artifact,
    })
  })

  it('a sub-agent that pauses inside of a guarded tool pauses the whole, and goes on', async () => {
    const runs: string[] = []
    const under = await openNear()
    onTestFinished(() => under.close())
    const inner = tool(({ to }: { to: string }) => void runs.push(to), {
      name: 'send_mail',
      description: 'm',
      schema: z.object({ to: z.string() }),
    })
    const options = {
      pause: true,
      session: 'sub',
      parentSession: 'main',
      agent: { name: 'sub', parents: ['main'] },
    }
    const sub = createAgent({
      model: new ScriptedChatModel([[{ id: 'i1', tool: 'send_mail', args: { to: 'ana' } }], 'inner done']),
      tools: [inner],
      middleware: [banksman(under.guard, options)],
    })
    const research = tool(async () => String((await sub.invoke(GO)).messages.at(-1)?.content), {
      name: 'read_research',
      description: 'r',
      schema: z.object({}),
    })
    const agent = createAgent({
      model: new ScriptedChatModel(calling('read_research', {})),
      tools: [research],
      checkpointer: new MemorySaver(),
      middleware: [banksman(under.guard, { pause: true, session: 'main' })],
    })
    const first = (await agent.invoke(GO, thread('t8'))) as { __interrupt__?: unknown[] }
    expect(first.__interrupt__).toHaveLength(1)
    const [{ id, digest }] = (await under.pending()) as unknown as [{ id: string; digest: string }]
    await under.decide(id, { decision: 'approve', digest })
    const last = await agent.invoke(new Command({ resume: 'look' }), thread('t8'))
    expect(said(last.messages)).toMatchObject([{ content: 'inner done' }])
    expect(runs).toEqual(['ana'])
  })

  it('P5: a tool that pauses too often is not given back for ever', async () => {
    let asked = 0
    const curious = mail(() => {
      for (;;) interrupt(`question ${++asked}`)
    })
    const { agent } = await openAgent(calling('read_mail'), [curious])
    const config = thread('t9')
    await agent.invoke(GO, config)
    for (let times = 0; times < 12; times++) await agent.invoke(new Command({ resume: 'no' }), config)
    const { messages } = (await agent.graph.getState(config)).values as { messages: unknown[] }
    expect(said(messages)).toMatchObject([
      { status: 'error', content: expect.stringContaining('paused too often') },
    ])
  })
})
