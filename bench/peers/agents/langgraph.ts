/**
 * LangGraph.js with its own tool node and its own saver on SQLite: the tool interrupts the graph before it adds, and the
 * graph is resumed with the answer. Without the interrupt the same graph runs through, with the saver in place as well.
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
import { type Database, openDatabase } from './database.ts'
import { agentPeerFile } from './install.ts'

interface Message {
  content: string
  tool_calls?: unknown[]
  getType(): string
}

interface State {
  messages: Message[]
  __interrupt__?: { value: { tool: string } }[]
}

interface Graph {
  addNode(name: string, node: unknown): Graph
  addEdge(from: string, to: string): Graph
  addConditionalEdges(from: string, choose: (state: State) => string, to: string[]): Graph
  compile(options: { checkpointer: object }): {
    invoke(input: unknown, options: { configurable: { thread_id: string } }): Promise<State>
  }
}

interface GraphModule {
  StateGraph: new (state: unknown) => Graph
  MessagesAnnotation: unknown
  START: string
  END: string
  Command: new (about: { resume: unknown }) => object
  interrupt(value: { tool: string; arguments: Sum }): unknown
}

type Sum = { a: number; b: number }

interface Zod {
  object(shape: Record<string, unknown>): unknown
  number(): unknown
}

export async function openLangGraph(folder: string, isAsked: boolean): Promise<AgentLoop> {
  // Nothing is told to its vendor while it is measured.
  process.env.LANGSMITH_TRACING = 'false'
  process.env.LANGCHAIN_TRACING_V2 = 'false'
  const graphs = (await load('@langchain/langgraph', 'dist/index.js')) as GraphModule
  const { StateGraph, MessagesAnnotation, START, END, Command, interrupt } = graphs
  const { ToolNode } = (await load('@langchain/langgraph', 'dist/prebuilt/index.js')) as {
    ToolNode: new (tools: unknown[]) => unknown
  }
  const { SqliteSaver } = (await load('@langchain/langgraph-checkpoint-sqlite', 'dist/index.js')) as {
    SqliteSaver: new (database: Database) => object
  }
  const { AIMessage, HumanMessage, SystemMessage } = (await load(
    '@langchain/core',
    'dist/messages/index.js',
  )) as Record<'AIMessage' | 'HumanMessage' | 'SystemMessage', new (about: object) => Message>
  const { tool } = (await load('@langchain/core', 'dist/tools/index.js')) as {
    tool(run: (sum: Sum) => string, about: object): unknown
  }
  const { z } = (await load('zod', 'index.js')) as { z: Zod }

  const database = await openDatabase(join(folder, `langgraph-${isAsked ? 'asked' : 'plain'}.db`))
  let ran = 0
  const add = tool(
    ({ a, b }) => {
      if (isAsked && interrupt({ tool: TOOL, arguments: { a, b } }) !== 'approve') return 'rejected'
      ran++
      return String(a + b)
    },
    { name: TOOL, description: DESCRIPTION, schema: z.object({ a: z.number(), b: z.number() }) },
  )
  function think({ messages }: State): { messages: Message[] } {
    const words = messages.find((message) => message.getType() === 'human')?.content ?? ''
    const results = messages
      .filter((message) => message.getType() === 'tool')
      .map(({ content }) => String(content))
    const move = nextMove(words, results)
    const calls =
      move.kind === 'call'
        ? [{ type: 'tool_call', id: `call_${results.length}`, name: TOOL, args: move.arguments }]
        : []
    return { messages: [new AIMessage({ content: move.said, tool_calls: calls })] }
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', think)
    .addNode('tools', new ToolNode([add]))
    .addEdge(START, 'agent')
    .addConditionalEdges(
      'agent',
      ({ messages }) => ((messages.at(-1)?.tool_calls?.length ?? 0) > 0 ? 'tools' : END),
      ['tools', END],
    )
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new SqliteSaver(database) })

  let threads = 0
  return {
    name: isAsked ? 'LangGraph.js, interrupt and resume' : 'LangGraph.js, no interrupt',
    async converse(calls): Promise<Conversed> {
      const options = { configurable: { thread_id: `thread-${threads++}` }, recursionLimit: MAX_STEPS }
      const before = ran
      let asked = 0
      const first = [
        new SystemMessage({ content: INSTRUCTIONS }),
        new HumanMessage({ content: wordsFor(calls) }),
      ]
      let state = await graph.invoke({ messages: first }, options)
      while (state.__interrupt__?.[0]?.value.tool === TOOL) {
        asked++
        state = await graph.invoke(new Command({ resume: 'approve' }), options)
      }
      return { answer: state.messages.at(-1)?.content ?? '', ran: ran - before, asked }
    },
    // It has written everything when it returns.
    async settle() {},
    async close() {
      database.close()
    },
  }
}

function load(name: string, file: string): Promise<unknown> {
  return import(agentPeerFile(name, file))
}
