/** LangChain's own pause and ours, each with a SqliteSaver on a file of its own. */
import { join } from 'node:path'
import { tool } from '@langchain/core/tools'
import { Command } from '@langchain/langgraph'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import type { Gateway } from 'banksman'
import { banksman } from 'banksman/langchain'
import { createAgent, humanInTheLoopMiddleware } from 'langchain'
import { DESCRIPTION, SCHEMA, TOOL } from '../contestant.ts'
import { ScriptedChatModel } from '../frameworks/langchain.ts'
import { approveCall, countingPlace, type PauseLoop, pauseLoop } from './pause-loop.ts'

/** `full` syncs each commit to the disk, as Banksman's own store does; `as it comes` is what the saver's library is built with. */
export type Synchronous = 'full' | 'as it comes'

export function langChainPause(
  folder: string,
  synchronous: Synchronous,
  gateway: Gateway | undefined,
): PauseLoop {
  const { place, ran } = countingPlace()
  const mechanism = gateway === undefined ? 'its own' : 'Banksman'
  const file = `${mechanism}-${synchronous}.db`.replaceAll(' ', '-')
  const checkpointer = SqliteSaver.fromConnString(join(folder, file))
  if (synchronous === 'full')
    (checkpointer as unknown as { db: { pragma(text: string): void } }).db.pragma('synchronous = FULL')
  const send = tool((args: unknown) => place.send(args as { to: string }) as never, {
    name: TOOL,
    description: DESCRIPTION,
    schema: SCHEMA as never,
  })
  const ask = humanInTheLoopMiddleware({ interruptOn: { [TOOL]: true } } as never)
  const agent = createAgent({
    model: new ScriptedChatModel(place),
    tools: [send],
    checkpointer,
    middleware: [(gateway === undefined ? ask : banksman(gateway, { pause: true })) as never],
  })
  const resume = gateway === undefined ? { decisions: [{ type: 'approve' }] } : 'look'
  return pauseLoop(`LangChain, ${mechanism}, SqliteSaver ${synchronous}`, ran, async (session) => {
    const config = { configurable: { thread_id: session } } as never
    await agent.invoke({ messages: [{ role: 'user', content: 'go' }] } as never, config)
    if (gateway !== undefined) await approveCall(gateway, session)
    await agent.invoke(new Command({ resume }) as never, config)
  })
}
