/** A session that is there before anybody says anything in it, so that nobody else's first message owns it. */

import type { SessionOpening } from '../../../core/conversation.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../../core/session.ts'
import { checkSessionName } from '../check-message.ts'
import type { SessionHostParts } from '../host-parts.ts'
import { agentOf, unknownAgent } from '../session-agent.ts'
import type { SessionTable } from '../session-table.ts'

export async function openSession(
  parts: SessionHostParts,
  sessions: SessionTable,
  { session, agent }: SessionOpening,
  actor: Actor,
): Promise<void> {
  const { agents, defaultAgent, clock } = parts
  checkSessionName(session)
  const name = agent ?? defaultAgent
  if (!agents.has(name)) throw unknownAgent(parts, name)
  const { hosted, release } = await sessions.hold(session, actor, 'write')
  const opening = hosted.queue
    .then(async () => {
      const { log } = hosted
      const named = name === defaultAgent ? {} : { agent: name }
      const entry = await log.offer(() =>
        log.entries.length > 0
          ? undefined
          : { kind: 'opened', turn: NO_TURN, at: clock.now(), by: actor.subject, ...named },
      )
      if (entry === undefined) throw reasonedError('invalid', reasonOf('session.exists', { session }))
      Object.assign(hosted, agentOf(parts, log.entries))
    })
    .finally(release)
  hosted.queue = opening.catch(() => {})
  // What is held of a session that is somebody else's is not true.
  await opening.catch((error: unknown) => {
    sessions.drop(hosted)
    throw error
  })
}

const NO_TURN = 't0'
