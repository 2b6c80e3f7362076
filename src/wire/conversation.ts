/** Conversations, as schemas for the description of the API. What each kind carries besides is in the reference. */
import { z } from 'zod'
import type { AgentDescription } from '../core/conversation.ts'
import type { WireSaid, WireTurnEntry, WireTurnEvent } from './types/conversation.ts'
import { time } from './values.ts'

export const said: z.ZodType<WireSaid> = z.object({
  turn: z.string(),
  kind: z.enum(['begun', 'steered']),
  after: z.string().describe('The id of an event: what the words led to follows it.'),
})

export const agent: z.ZodType<AgentDescription> = z.object({
  name: z.string(),
  agents: z.array(z.string()).exactOptional().describe('All agents here, where there are several.'),
  model: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      providedBy: z.string().describe('The hook that provides it.').exactOptional(),
    }),
  ),
})

/** Written as an object, so that one that is missing does not compile. */
const EVENT_KINDS: Record<WireTurnEvent['kind'], true> = {
  turn_begun: true,
  model_called: true,
  thinking: true,
  text: true,
  model_answered: true,
  model_retried: true,
  call_proposed: true,
  call_waiting: true,
  call_started: true,
  call_finished: true,
  call_refused: true,
  call_answered: true,
  shown: true,
  observing: true,
  steered: true,
  interrupted: true,
  sub_began: true,
  sub_ended: true,
  failed: true,
  turn_ended: true,
}

const ENTRY_KINDS: Record<WireTurnEntry['kind'], true> = {
  begun: true,
  steered: true,
  answered: true,
  result: true,
  interrupted: true,
  resumed: true,
  note: true,
  barred: true,
  ended: true,
  erased: true,
}

export const turnEvent = z.looseObject({
  id: z.string(),
  turn: z.string(),
  session: z.string().describe('Where it happened: the session itself, or one that it started.'),
  agent: z.object({ name: z.string(), parents: z.array(z.string()).exactOptional() }),
  at: time,
  kind: z.enum(Object.keys(EVENT_KINDS)),
})

export const turnEntry = z.looseObject({
  kind: z.enum(Object.keys(ENTRY_KINDS)),
  turn: z.string().exactOptional(),
  at: time.exactOptional(),
})
