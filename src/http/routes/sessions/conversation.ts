/**
 * Talking to the agent of ours: saying something, following what it does, reading what was kept. For people only (P11);
 * whose conversation it is, the agent itself looks at (P6).
 */

import { z } from 'zod'
import type { Origin } from '../../../core/call.ts'
import type { Conversations } from '../../../core/conversation.ts'
import { defined } from '../../../core/defined.ts'
import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { Actor } from '../../../core/session.ts'
import * as schemas from '../../../wire/conversation.ts'
import * as pageWire from '../../../wire/page.ts'
import { limitQuery } from '../../../wire/page.ts'
import { progress } from '../../../wire/progress.ts'
import { sayBody } from '../../../wire/session.ts'
import type { WireTurnEvent } from '../../../wire/types/conversation.ts'
import type { LiveConnectionParts } from '../../connection/live-connection.ts'
import { answerEvents } from '../../events/answer-events.ts'
import type { StreamedEvent } from '../../events/event-stream.ts'
import { type TurnReader, turnEntryToWire, turnEventToWire } from '../../to-wire/conversation-to-wire.ts'
import { codingProgressToWire, progressToWire } from '../../to-wire/progress-to-wire.ts'
import { json, type Route, route } from '../route.ts'
import { type ConversationRouteParts, findCoding } from './read-session.ts'

/** What is said here is asked about there. */
const ORIGIN: Origin = { channel: 'inbox' }

export function conversationRoutes(
  { conversations, gateway, secretary }: ConversationRouteParts,
  live: LiveConnectionParts,
): Route[] {
  return [
    route('GET /v1/agent', {
      summary: 'The agent of ours: its model and its tools, with the hook that provides one.',
      access: 'people',
      query: z.strictObject({
        name: z
          .string()
          .min(1)
          .max(64)
          .describe('Which of several. Absent: the default agent.')
          .exactOptional(),
      }),
      answers: [json('The agent.', schemas.agent)],
      answer: ({ query }) => agentOf(conversations).describe(query.name),
    }),
    route('POST /v1/sessions/{id}/messages', {
      summary:
        'Say something to the agent: it begins a turn, or steers the one that runs. In a coding session it interrupts that.',
      access: 'people',
      body: sayBody,
      answers: [json('It was heard, and is on the record.', schemas.said, 202)],
      async answer({ caller, body, step }) {
        const saying = { session: step('id'), ...body, origin: ORIGIN }
        return agentOf(conversations).say(saying, caller.actor)
      },
    }),
    route('GET /v1/sessions/{id}/conversation', {
      summary:
        'What happens in a conversation, as server-sent events. Last-Event-ID goes on from there; without it, from now on.',
      access: 'people',
      answers: [
        { status: 200, description: 'Events.', schema: schemas.turnEvent, mediaType: 'text/event-stream' },
      ],
      async answer({ c, caller, step }) {
        const agent = agentOf(conversations)
        const after = c.req.header('last-event-id') || undefined
        const reader = { locale: caller.locale, knownTool: gateway.knownTool }
        return answerEvents(live, c, caller, (over) =>
          openEvents(agent, step('id'), { actor: caller.actor, reader, after, over }),
        )
      },
    }),
    route('GET /v1/sessions/{id}/progress', {
      summary: 'How far the newest turn of a conversation is, at whatever server it runs.',
      access: 'people',
      answers: [json('The progress, now.', progress)],
      async answer({ caller, step }) {
        const reader = { locale: caller.locale, knownTool: gateway.knownTool }
        const id = step('id')
        if (secretary !== undefined && (await findCoding(secretary, id, caller.actor)) !== undefined)
          return codingProgressToWire(await secretary.progress(id, caller.actor), reader)
        return progressToWire(await agentOf(conversations).progress(id, caller.actor), reader)
      },
    }),
    route('GET /v1/sessions/{id}/turns', {
      summary: 'What was kept of a conversation, in order.',
      access: 'people',
      query: z.strictObject({
        limit: limitQuery.default(50),
        after: z
          .string()
          .regex(/^\d{1,15}$/, 'must be a whole number')
          .describe('How many entries were read before: the cursor of the page before.')
          .transform(Number)
          .default(0),
      }),
      answers: [
        json('A page of entries; its cursor is the next `after`.', pageWire.pageOf(schemas.turnEntry)),
      ],
      async answer({ caller, query, step }) {
        const page = await agentOf(conversations).entries(step('id'), query, caller.actor)
        const items = page.entries.map((entry) =>
          turnEntryToWire(entry, { locale: caller.locale, knownTool: gateway.knownTool }),
        )
        return { items, ...(page.more ? { cursor: String(query.after + items.length) } : {}) }
      },
    }),
  ]
}

function agentOf(conversations: Conversations | undefined): Conversations {
  if (conversations !== undefined) return conversations
  throw reasonedError('unknown_route', reasonOf('session.nobody'))
}

interface ConversationListener {
  actor: Actor
  reader: TurnReader
  after: string | undefined
  over: AbortSignal
}

async function openEvents(
  agent: Conversations,
  session: string,
  { actor, reader, after, over }: ConversationListener,
): Promise<AsyncGenerator<StreamedEvent, void>> {
  // Who may not listen is told so by a status: once the stream has begun there is none to give.
  await agent.entries(session, { limit: 1 }, actor)
  const options = { signal: over, ...defined({ after }) }
  return told(agent.events(session, options, actor), reader)
}

async function* told(
  events: ReturnType<Conversations['events']>,
  reader: TurnReader,
): AsyncGenerator<StreamedEvent, void> {
  for await (const event of events) {
    const wire: WireTurnEvent = turnEventToWire(event, reader)
    yield { cursor: event.id, event: { name: wire.kind, data: JSON.stringify(wire) } }
  }
}
