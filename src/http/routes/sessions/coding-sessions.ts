/**
 * Coding sessions: what they can be, and how they are started and closed. All else is as with every session: messages, mode, stop, progress and end are the
 * same routes. For people only (P11); whose session it is, the secretary looks at (P6).
 */

import { defined } from '../../../core/defined.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Secretary } from '../../../core/secretary.ts'
import * as schemas from '../../../wire/session.ts'
import { json, type Route, route } from '../route.ts'
import { type ConversationRouteParts, createReadSession } from './read-session.ts'

export function codingSessionRoutes(parts: ConversationRouteParts): Route[] {
  const readSession = createReadSession(parts)
  return [
    route('GET /v1/secretary', {
      summary: 'What a new coding session can be: its folders, agents and modes.',
      access: 'people',
      answers: [json('What can be chosen.', schemas.sessionOffers)],
      answer({ caller: { actor } }) {
        const { folders, agents } = secretaryOf(parts).offers(actor)
        return { folders, agents, modes: parts.gateway.settableModes({ owner: actor.subject }, actor) }
      },
    }),
    route('POST /v1/sessions', {
      summary: 'Start a coding session in a folder. It works in the background; people are asked as ever.',
      access: 'people',
      body: schemas.startSessionBody,
      answers: [json('The session, and what the first message began.', schemas.startedSession, 201)],
      async answer({ caller, body }) {
        const { mode, ...rest } = body
        const start = { ...rest, ...defined({ mode: mode === 'bypass' ? 'bypassPermissions' : mode }) }
        const { session, said } = await secretaryOf(parts).start(start, caller.actor)
        return { session: await readSession(session.id, caller.actor), ...defined({ said }) }
      },
    }),
    route('POST /v1/sessions/{id}/close', {
      summary:
        'Close a coding session: its turn is interrupted, its process ends, and it is no longer listed. The next message opens it again.',
      access: 'people',
      answers: [json('The session.', schemas.session)],
      async answer({ caller, step }) {
        await secretaryOf(parts).close(step('id'), caller.actor)
        return readSession(step('id'), caller.actor)
      },
    }),
  ]
}

function secretaryOf({ secretary }: ConversationRouteParts): Secretary {
  if (secretary !== undefined) return secretary
  throw reasonedError('unknown_route', reasonOf('coding.off'))
}
