/** The agents that this server hosts. Without any, it serves the agents of others. */
import { openServerAgent, type ServerAgent, type ServerAgentParts } from './open-server-agent.ts'
import { warnWithoutAgent } from './warn-without-agent.ts'

export interface ServerAgents {
  /** The agent that people talk to where they name none. */
  readonly main: ServerAgent | undefined
  /** Continues the turns that the last run left unfinished. */
  resume(): Promise<void>
  eraseMediaOlderThan(ageMs: number): Promise<void>
  close(): Promise<void>
}

export async function openServerAgents(parts: ServerAgentParts): Promise<ServerAgents> {
  const main = await openServerAgent(parts)
  if (main === undefined) warnWithoutAgent(parts.configuration, parts.say)
  return {
    main,
    async resume() {
      await main?.agent.resume()
    },
    async eraseMediaOlderThan(ageMs) {
      await main?.media.eraseOlderThan(ageMs)
    },
    async close() {
      await main?.agent.close()
    },
  }
}
