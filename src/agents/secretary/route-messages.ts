/** A message to a coding session is the secretary's to take, whichever way it comes: cards go where the session was started. */
import { isBanksmanError } from '../../core/errors.ts'
import type { Secretary } from '../../core/secretary.ts'
import type { Agent } from '../sessions/session-host.ts'
import { CODER } from './agent-names.ts'
import type { SessionRecords } from './session-records.ts'

export function routeMessages(
  agent: Agent,
  secretary: Secretary,
  records: Pick<SessionRecords, 'find'>,
): Agent {
  return {
    ...agent,
    /** What works in folders is talked to in a session that has one: nobody begins a conversation with it. */
    describe(name) {
      const { agents, ...about } = agent.describe(name)
      const others = agents?.filter((one) => one !== CODER) ?? []
      return others.length > 1 ? { ...about, agents: others } : about
    },
    async say(saying, actor, access) {
      const { session, text, agent: wanted } = saying
      const record =
        typeof session === 'string' ? await records.find(session).catch(unlessInvalid) : undefined
      if (record === undefined || (wanted !== undefined && wanted !== record.agent))
        return agent.say(saying, actor, access)
      return secretary.send(session, { text }, actor)
    },
  }
}

/** What is wrong with the name of a session is told by who takes the message. */
function unlessInvalid(error: unknown): undefined {
  if (!isBanksmanError(error, 'invalid')) throw error
}
