/** Which agent a session is a conversation with: the log says, by its first message, or by what it was opened for. */

import type { TurnEntry } from '../../core/conversation.ts'
import type { BanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import type { SessionHostParts } from './host-parts.ts'
import type { HostedSession } from './hosted-session.ts'

type Agents = Pick<SessionHostParts, 'agents' | 'defaultAgent'>

/** Its agent's name and engine; `wanted` where nobody has said anything yet. */
export function agentOf(
  { agents, defaultAgent }: Agents,
  entries: readonly TurnEntry[],
  wanted?: string,
): Pick<HostedSession, 'agent' | 'engine'> {
  const fixed = entries.findLast((entry) => entry.kind === 'begun' || entry.kind === 'opened')
  const name = (fixed === undefined ? wanted : fixed.agent) ?? defaultAgent
  return { agent: { name }, engine: agents.get(name) }
}

/** Settles it for a message. Refuses one to another agent, or to one that isn't here. */
export function addressAgent(parts: Agents, hosted: HostedSession, wanted: string | undefined): void {
  Object.assign(hosted, agentOf(parts, hosted.log.entries, wanted))
  const { name } = hosted.agent
  if (wanted !== undefined && wanted !== name) {
    const { session } = hosted
    throw reasonedError('invalid', reasonOf('session.other-agent', { session, agent: name, wanted }))
  }
}

export function unknownAgent({ agents }: Agents, name: string): BanksmanError {
  const known = agents.size === 0 ? reasonOf('agents.none') : [...agents.keys()]
  return reasonedError('invalid', reasonOf('session.no-agent', { agent: name, agents: known }))
}
