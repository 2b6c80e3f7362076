/** How far the newest turn of a session is. Calls are masked, and times are texts. */
import { z } from 'zod'
import { REQUEST_KINDS } from '../core/request-state.ts'
import { MODES } from '../core/session.ts'
import { shownCall, turnStatus, usage } from './conversation.ts'
import { object, ofCore, optional } from './named.ts'
import { agentLineage, time } from './values.ts'

const shown = {
  session: z.string().describe('The session itself, or one that it started.'),
  call: z.string(),
  tool: z.string(),
  ...shownCall.shape,
  since: time.describe('Since when it is in this state. ISO 8601, in UTC.'),
}

export const turnProgress = object('WireTurnProgress', {
  id: z.string(),
  text: z.string().describe('What somebody said.'),
  by: z.string(),
  begunAt: time,
  since: time.describe('When the newest thing happened. ISO 8601, in UTC.'),
  steps: z.int().describe('How often the model has answered.'),
  said: z
    .array(z.string())
    .describe("The model's newest words, the newest last: of each answer that had some, a few at most."),
  calls: z.int().describe('How many calls there were, those of sub-agents too.'),
  recent: z
    .array(
      z.object({
        ...shown,
        state: z.enum(['proposed', 'waiting', 'running', 'done', 'failed', 'refused', 'answered']),
      }),
    )
    .describe('The newest calls, the newest last.'),
  waiting: z
    .array(
      z.object({
        ...shown,
        request: z.string(),
        kind: ofCore('RequestKind', 'request-state.ts', z.enum(REQUEST_KINDS)),
      }),
    )
    .describe('Requests that wait for a person, in sub-agents too.'),
  ended: z
    .object({ at: time, status: turnStatus, text: z.string(), reason: z.string().exactOptional(), usage })
    .exactOptional(),
})

const sessionUse = z.object({
  turns: z.number(),
  workedMs: z.number().describe('The time in which turns ran, without waiting for people.'),
  costUsd: optional(z.number(), "As the engine tells it. Absent: it doesn't."),
})

const sessionLimits = z.object({
  turns: z.number().exactOptional(),
  workedMs: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
})

export const progress = object('WireProgress', {
  session: z.string(),
  agent: agentLineage,
  state: z
    .enum(['idle', 'running', 'waiting'])
    .describe('waiting: a turn runs, and a person is asked. idle: no turn runs.'),
  turn: optional(
    turnProgress,
    'The newest turn. Absent where nobody has said anything yet, or all of it was erased.',
  ),
  folder: optional(z.string(), 'Of a coding session: where it works. So are all that follow.'),
  mode: optional(ofCore('Mode', 'session.ts', z.enum(MODES)), 'In which mode its calls are judged.'),
  elapsedMs: optional(z.number(), 'How long the turn has run; 0 where none does.'),
  used: optional(sessionUse, 'Over all turns.'),
  limits: optional(sessionLimits, 'What it may use before its owner is asked.'),
})
