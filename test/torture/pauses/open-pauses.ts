/** All pauses that are compared, with one gateway on SQLite for ours. */
import { join } from 'node:path'
import { openGateway } from 'banksman'
import { aiSdkPause, openAIAgentsPause } from './keepless-pauses.ts'
import { langChainPause } from './langchain-pauses.ts'
import type { PauseLoop } from './pause-loop.ts'

export interface ComparedPauses {
  /** The framework's own first, then ours. */
  pairs: { name: string; own: PauseLoop; ours: PauseLoop; target?: number }[]
  /** Resolves when all that nobody waited for is written. */
  flush(): Promise<void>
  close(): Promise<void>
}

export async function openPauses(folder: string): Promise<ComparedPauses> {
  process.env.LANGSMITH_TRACING = 'false'
  const gateway = await openGateway({
    store: `sqlite:${join(folder, 'banksman.db')}`,
    policy: {},
    owner: 'ana',
  })
  const langChain = (synchronous: 'full' | 'as it comes') => ({
    name: `LangChain, SqliteSaver ${synchronous}`,
    own: langChainPause(folder, synchronous, undefined),
    ours: langChainPause(folder, synchronous, gateway),
    target: 1.15,
  })
  return {
    pairs: [
      langChain('full'),
      langChain('as it comes'),
      { name: 'AI SDK, which keeps nothing', own: aiSdkPause(undefined), ours: aiSdkPause(gateway) },
      {
        name: 'OpenAI Agents, which keeps nothing',
        own: openAIAgentsPause(undefined),
        ours: openAIAgentsPause(gateway),
      },
    ],
    flush: () => gateway.flush(),
    close: () => gateway.close(),
  }
}
