/**
 * A conversation with an agent of ours. It differs from what the agent itself tells in what people must not see or could not
 * read: arguments are masked, and times are texts.
 */
import { z } from 'zod'
import { INTERRUPTION_KINDS, TURN_STATUSES } from '../core/conversation.ts'
import { named, object, ofCore, optional } from './named.ts'
import { agentLineage, because, jsonObject, jsonValue, origin, requestState, role, time } from './values.ts'

const CONVERSATION = 'conversation.ts'

export const said = object('WireSaid', 'The answer to words that were said.', {
  turn: z.string(),
  kind: z.enum(['begun', 'steered']),
  after: z.string().describe('The id of an event: what the words led to follows it.'),
})

export const agent = ofCore(
  'AgentDescription',
  CONVERSATION,
  z.object({
    name: z.string(),
    agents: optional(z.array(z.string()), 'All agents here, where there are several.'),
    model: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        providedBy: z.string().describe('The hook that provides it.').exactOptional(),
      }),
    ),
  }),
)

export const shownCall = object('ShownCall', 'What people see of a call.', {
  arguments: jsonObject.describe(
    'Masked where a value has the shape of a secret, and cut with marks where they are long.',
  ),
  summary: z.string().describe('In one line.'),
})

const how = ofCore('InterruptionKind', CONVERSATION, z.enum(INTERRUPTION_KINDS))
export const turnStatus = ofCore('TurnStatus', CONVERSATION, z.enum(TURN_STATUSES))
const reason = z.string().exactOptional()
const endedBy = z
  .object({ by: z.string(), reason: reason.describe('In their own words.') })
  .exactOptional()
  .describe('Who ended the session.')

export const usage = ofCore(
  'Usage',
  CONVERSATION,
  z.object({
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().exactOptional().describe('What it cost, as the engine estimates it.'),
  }),
)

export const mediaItem = ofCore(
  'MediaItem',
  CONVERSATION,
  z.object({ id: z.string(), type: z.string(), name: z.string().exactOptional() }),
)

const media = z.array(mediaItem).exactOptional()

const refusalParts = {
  state: z
    .union([z.enum(['denied', 'invalid', 'skipped', 'error']), requestState])
    .describe(
      'denied by the policy or a hook, a state of the request, invalid for a call that is none, error for a fault.',
    ),
  ...because,
  by: optional(z.string(), 'The person or hook who said so.'),
  mayRetry: z.boolean(),
  request: z.string().exactOptional(),
}

export const refusal = ofCore('Refusal', CONVERSATION, z.object(refusalParts))

const event = <K extends string, S extends z.core.$ZodLooseShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), ...shape })

const called = { call: z.string(), tool: z.string() }

export const turnEventBody = named(
  'WireTurnEventBody',
  z.discriminatedUnion('kind', [
    event('turn_begun', { text: z.string(), by: z.string(), resumed: z.literal(true).exactOptional() }),
    event('model_called', {
      step: z.number(),
      model: z.string(),
      messages: z.number(),
      tools: z.number(),
      maxTokens: z.number().exactOptional(),
      temperature: z.number().exactOptional(),
    }),
    event('thinking', { delta: z.string() }),
    event('text', { delta: z.string() }),
    event('model_answered', {
      step: z.number(),
      text: z.string(),
      reasoning: z.string().exactOptional(),
      calls: z.number(),
      usage,
    }),
    event('model_retried', {
      attempt: z.number(),
      of: z.number(),
      delayMs: z.number(),
      because: z.string(),
    }),
    event('call_proposed', {
      ...called,
      ...shownCall.shape,
      step: z.number(),
      index: z.number(),
      of: z.number(),
    }).describe('The model wants it. Nothing has been judged yet.'),
    event('call_waiting', { ...called, ...shownCall.shape, request: z.string() }).describe(
      'A person is asked.',
    ),
    event('call_started', { ...called, ...shownCall.shape, request: z.string().exactOptional() }),
    event('call_finished', {
      ...called,
      ok: z.boolean(),
      text: z.string(),
      durationMs: z.number(),
      request: z.string().exactOptional(),
      media,
      replacedBy: optional(z.string(), 'A hook gave the result, and nothing ran.'),
    }),
    event('call_refused', { ...called, ...refusalParts }),
    event('call_answered', { ...called, text: z.string(), by: z.string(), request: z.string() }).describe(
      'A person gave the result.',
    ),
    event('shown', { text: z.string().exactOptional(), media, tool: z.string() }).describe(
      'For the person, past the model.',
    ),
    event('observing', { step: z.number(), results: z.number() }).describe(
      'All results of a step go back to the model.',
    ),
    event('steered', { text: z.string(), by: z.string() }),
    event('interrupted', { how, by: z.string(), reason }),
    event('sub_began', { child: z.string(), task: z.string() }),
    event('sub_ended', { child: z.string(), status: turnStatus }),
    event('failed', { stage: z.string(), message: z.string() }),
    event('turn_ended', {
      status: turnStatus,
      text: z.string().describe('The last words, empty where there are none.'),
      reason,
      endedBy,
      usage,
      steps: z.number(),
      durationMs: z.number(),
    }),
  ]),
)

export const turnEvent = named(
  'WireTurnEvent',
  z
    .intersection(
      z.object({
        id: z.string(),
        turn: z.string(),
        session: z.string().describe('Where it happened: the session itself, or one that it started.'),
        agent: agentLineage,
        at: time,
      }),
      turnEventBody,
    )
    .describe('The SSE event has its kind for a name and its id for an id.'),
)

export const loggedCall = named(
  'WireLoggedCall',
  z.intersection(
    z.object({ id: z.string(), tool: z.string() }),
    z.union([
      shownCall,
      z.object({
        unreadable: z
          .string()
          .describe("What the model wrote in the place of arguments, where it can't be read."),
      }),
    ]),
  ),
)

const entry = <K extends string, S extends z.core.$ZodLooseShape>(kind: K, shape: S) =>
  z.object({ kind: z.literal(kind), turn: z.string(), at: time, ...shape })

export const turnEntry = named(
  'WireTurnEntry',
  z
    .discriminatedUnion('kind', [
      entry('begun', {
        text: z.string(),
        by: z.string(),
        origin: origin.exactOptional(),
        task: ofCore(
          'SubTask',
          CONVERSATION,
          z.object({ parentSession: z.string(), parentTurn: z.string(), call: z.string() }),
        ).exactOptional(),
        agent: optional(z.string(), 'Absent: the default agent.'),
      }),
      entry('steered', { text: z.string(), by: z.string() }),
      entry('answered', {
        step: z.number(),
        model: z.string(),
        text: z.string(),
        reasoning: z.string().exactOptional(),
        calls: z.array(loggedCall),
        usage,
        heard: z
          .number()
          .describe('How many of the words that steered the turn the model had heard when it answered.'),
        offered: optional(
          z.array(
            ofCore(
              'OfferedTool',
              CONVERSATION,
              z.object({
                name: z.string(),
                description: z.string(),
                schema: jsonObject,
                hook: z.string(),
              }),
            ),
          ),
          'Tools that hooks had added to the question: what is called may be one of them.',
        ),
        cutOff: optional(
          z.literal(true),
          'The answer was cut off: a call in it may not be whole, and none of them runs.',
        ),
      }),
      entry('result', {
        step: z.number(),
        ...called,
        outcome: z.enum(['ran', 'failed', 'refused', 'answered', 'replaced']),
        text: z.string(),
        digest: optional(z.string(), 'Of the call that was judged, where one was.'),
        shape: optional(z.string(), 'What kind of call it was: variants of one call have the same.'),
        refusal: refusal.exactOptional(),
        media,
        handled: optional(z.literal(true), 'The person has been served: the model need not say it again.'),
      }),
      entry('opened', { by: z.string(), agent: z.string().exactOptional() }).describe(
        'The session was made before anybody said anything in it. It is of no turn: `turn` is `t0`.',
      ),
      entry('interrupted', { how, by: z.string(), role, reason }).describe(
        'Said of a turn that another process may be running: the process that runs it, or takes it up, stops.',
      ),
      entry('resumed', {}).describe(
        'A process has taken up what another left unfinished. From here on nothing that the other still writes is taken.',
      ),
      entry('note', { engine: z.string(), data: jsonValue }).describe(
        'What an engine wants to find again, such as the id of its own transcript.',
      ),
      entry('barred', { shape: z.string(), by: z.string() }).describe(
        'A person wants no more of this kind in this session.',
      ),
      entry('ended', { status: turnStatus, text: z.string(), reason, endedBy, usage, steps: z.number() }),
      z.object({ kind: z.literal('erased') }).describe('Its content was erased after the retention time.'),
    ])
    .describe('What is kept of a conversation.'),
)
