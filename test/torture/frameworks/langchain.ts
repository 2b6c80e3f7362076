/** LangChain with `humanInTheLoopMiddleware`, or with Banksman's middleware. Both on LangGraph's SqliteSaver. */
import { join } from 'node:path'
import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { banksman } from 'banksman/langchain'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import {
  type Answer,
  DESCRIPTION,
  ending,
  type MakeContestant,
  type Place,
  readState,
  SCHEMA,
  TOOL,
  turnAt,
  writeState,
} from '../contestant.ts'
import { tamperTable } from './tamper-table.ts'

interface Answers {
  decisions: { type: Answer; message?: string }[]
}

export const createLangChain: MakeContestant = (place, guard) => {
  const ask = humanInTheLoopMiddleware({ interruptOn: { [TOOL]: true } } as never)
  const file = join(place.folder, 'langgraph.db')
  const checkpointer = SqliteSaver.fromConnString(file)
  const work = (args: unknown) => place.send(args as { to: string })
  const send = tool(work as never, { name: TOOL, description: DESCRIPTION, schema: SCHEMA as never })
  const agent = createAgent({
    model: new ScriptedChatModel(place),
    tools: [send],
    checkpointer,
    middleware: [(guard === undefined ? ask : banksman(guard, { pause: true })) as never],
  })
  // A step is on the disk before the next one begins.
  const config = { configurable: { thread_id: place.session }, durability: 'sync' as const }

  const isPaused = async () => {
    const { tasks } = await agent.graph.getState(config)
    return tasks.some(({ interrupts }) => interrupts.length > 0)
  }
  const run = (input: unknown) =>
    ending(async () => {
      await agent.invoke(input as never, config as never)
      return (await isPaused()) ? 'paused' : 'finished'
    })
  const lastCalls = async () => {
    const { messages } = (await agent.graph.getState(config)).values as { messages: BaseMessage[] }
    const last = messages.findLast((message) => AIMessage.isInstance(message))
    return { last, calls: last?.tool_calls ?? [] }
  }

  return {
    start: () => run({ messages: [{ role: 'user', content: 'go' }] }),

    // The interrupt names tools and arguments, not calls: decisions go by their position.
    async answer(answers) {
      const { calls } = await lastCalls()
      const decisions = calls.flatMap(({ id }) => {
        const type = answers[id ?? '']
        return type === undefined ? [] : [{ type, ...(type === 'reject' ? { message: 'no' } : {}) }]
      })
      if (decisions.length > 0) writeState(place, 'answers.json', { decisions } satisfies Answers)
    },

    async goOn() {
      if (!(await isPaused())) {
        const { next } = await agent.graph.getState(config)
        return next.length === 0 ? { ended: 'finished' } : run(null)
      }
      const resume = guard === undefined ? readState<Answers>(place, 'answers.json') : 'look'
      return resume === undefined ? { ended: 'paused' } : run(new Command({ resume }))
    },

    // In the database itself: a change by the graph's own API would drop the interrupt.
    async tamper(callId, to) {
      const change = (members: Record<string, unknown>) =>
        members.id === callId && 'args' in members ? { ...members, args: { to } } : members
      tamperTable(file, { table: 'checkpoints', column: 'checkpoint', isBlob: true }, change)
      tamperTable(file, { table: 'writes', column: 'value', isBlob: true }, change)
    },

    async forge({ id, to }) {
      const { last } = await lastCalls()
      const tool_calls = [{ id, name: TOOL, args: { to }, type: 'tool_call' as const }]
      const messages = [new AIMessage({ id: last!.id!, content: '', tool_calls })]
      // As if the middleware had asked, and somebody had said yes.
      const after = guard === undefined ? 'HumanInTheLoopMiddleware.after_model' : 'model_request'
      await agent.graph.updateState(config, { messages }, after)
      return run(null)
    },
  }
}

export class ScriptedChatModel extends BaseChatModel {
  private readonly place: Place

  constructor(place: Place) {
    super({})
    this.place = place
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  async _generate(messages: BaseMessage[]) {
    const results = messages.filter((message) => ToolMessage.isInstance(message))
    this.place.modelSaw(
      Object.fromEntries(results.map(({ tool_call_id, content }) => [tool_call_id, String(content)])),
    )
    const turn = turnAt(this.place, messages.filter((one) => AIMessage.isInstance(one)).length)
    const message =
      typeof turn === 'string'
        ? new AIMessage(turn)
        : new AIMessage({
            content: '',
            tool_calls: turn.map(({ id, to }) => ({ id, name: TOOL, args: { to }, type: 'tool_call' })),
          })
    return { generations: [{ message, text: typeof turn === 'string' ? turn : '' }] }
  }
}
