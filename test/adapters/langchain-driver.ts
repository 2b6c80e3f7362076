/** LangChain's agents and graphs of one's own, with a model that follows a script. */

import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { tool as makeTool } from '@langchain/core/tools'
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { createAgent } from 'langchain'
import { banksman, guardTools, type LangChainOptions } from '../../src/adapters/langchain/index.ts'
import { defined } from '../../src/core/defined.ts'
import type {
  AdapterDriver,
  AgentRun,
  Scenario,
  ScriptedTool,
  Turn,
} from '../../src/testing/adapter-suite.ts'

/** Which turn it is at is the number of its answers in the history, so that it goes on after a restart. */
export class ScriptedChatModel extends BaseChatModel {
  readonly turns: Turn[]
  readonly seen: BaseMessage[][] = []

  constructor(turns: Turn[]) {
    super({})
    this.turns = turns
  }

  _llmType(): string {
    return 'scripted'
  }

  override bindTools(): this {
    return this
  }

  async _generate(messages: BaseMessage[]) {
    this.seen.push([...messages])
    const turn =
      this.turns[messages.filter((one) => AIMessage.isInstance(one)).length] ?? 'the script is over'
    const message =
      typeof turn === 'string'
        ? new AIMessage(turn)
        : new AIMessage({
            content: '',
            tool_calls: turn.map(({ id, tool, args }) => ({ id, name: tool, args, type: 'tool_call' })),
          })
    return { generations: [{ message, text: typeof turn === 'string' ? turn : '' }] }
  }
}

type Graph = ReturnType<typeof graphOf>

interface Saved {
  saver: MemorySaver
}

interface LangChainDriver extends AdapterDriver {
  /** Where a process died: neither new words nor a resume. */
  goOn(scenario: Scenario, saver: MemorySaver): Promise<AgentRun>
}

export function createLangChainDriver(
  kind: 'agent' | 'graph',
  newSaver: () => MemorySaver = () => new MemorySaver(),
): LangChainDriver {
  async function run(scenario: Scenario, input: unknown, saver: MemorySaver): Promise<AgentRun> {
    const model = new ScriptedChatModel(scenario.turns)
    const saying = (ended: AgentRun['ended'], error?: unknown): AgentRun => ({
      ended,
      error,
      modelCalls: model.seen.length,
      told: toldIn(model.seen.at(-1) ?? []),
      preliminary: [],
      saved: { saver } satisfies Saved,
    })
    const { session, signal } = scenario
    const config = {
      durability: 'sync' as const,
      ...(session === undefined ? {} : { configurable: { thread_id: session } }),
      ...defined({ signal }),
    }
    try {
      const make = kind === 'agent' ? agentOf : graphOf
      const graph = make(scenario, model, session === undefined ? undefined : saver) as Graph
      if (scenario.stream === true) for await (const _ of await graph.stream(input as never, config)) void _
      else await graph.invoke(input as never, config)
      if (session === undefined) return saying('finished')
      const states = kind === 'agent' ? (graph as unknown as { graph: Graph }).graph : graph
      const { tasks } = await states.getState(config)
      return saying(tasks.some(({ interrupts }) => interrupts.length > 0) ? 'paused' : 'finished')
    } catch (error) {
      return saying('failed', (error as { cause?: unknown }).cause ?? error)
    }
  }

  const resume: AdapterDriver['resume'] = (scenario, saved) =>
    run(scenario, new Command({ resume: 'yes' }), (saved as Saved).saver)

  return {
    cannot: {
      tamper: 'a checkpointer belongs to the program',
      stream: 'a tool of LangChain has one result',
      limitTools: "LangGraph's limit of time is the node's",
      // An agent's calls are tasks of their own.
      ...(kind === 'agent'
        ? {}
        : {
            reuseIds: '`ToolNode` passes over a call whose id already has a result',
            goOnInPart: 'all calls of a `ToolNode` are one task, which ends with the first that pauses',
          }),
    },
    start: (scenario) => run(scenario, { messages: [{ role: 'user', content: 'go' }] }, newSaver()),
    resume,
    goOn: (scenario, saver) => run(scenario, null, saver),
    // Whatever the graph is resumed with is no approval, so there is nothing else to forge.
    forge: resume,
    pauseInTool: () => interrupt('which one?'),
  }
}

function optionsOf({ callId, agent, parentSession, remember, warn, pause }: Scenario): LangChainOptions {
  return {
    ...(callId === undefined ? {} : { callId: ({ toolCallId }) => callId(toolCallId ?? '') }),
    agent,
    parentSession,
    remember,
    warn,
    pause,
  }
}

function agentOf(scenario: Scenario, model: ScriptedChatModel, checkpointer: MemorySaver | undefined) {
  return createAgent({
    model,
    tools: scenario.tools.map(toolOf) as never,
    middleware: scenario.bare === true ? [] : [banksman(scenario.guard, optionsOf(scenario))],
    ...defined({ checkpointer }),
  })
}

function graphOf(scenario: Scenario, model: ScriptedChatModel, checkpointer: MemorySaver | undefined) {
  const plain = scenario.tools.map(toolOf)
  const isBare = scenario.bare === true
  const tools = isBare ? plain : guardTools(scenario.guard, plain, optionsOf(scenario))
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
    .addNode('tools', new ToolNode(tools as never, { handleToolErrors: isBare }))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile(checkpointer === undefined ? {} : { checkpointer })
}

function toolOf({ name, schema, run }: ScriptedTool): object {
  if (run === undefined) return { type: name, name }
  const work = (args: unknown, { signal }: { signal?: AbortSignal }) => run(args, signal) as string
  return makeTool(work as never, { name, description: `Does ${name}.`, schema: schema as never })
}

function toldIn(messages: BaseMessage[]) {
  return messages
    .filter((message) => ToolMessage.isInstance(message))
    .map(({ tool_call_id, content, status }) => ({
      callId: tool_call_id,
      text: typeof content === 'string' ? content : JSON.stringify(content),
      isError: status === 'error',
    }))
}
