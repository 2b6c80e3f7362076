/** Holding a call: what comes in and what goes out. These are the results of `guard/contract.ts`, as JSON. */
import { z } from 'zod'
import { callBody } from './call.ts'
import { named, object, optional, strictObject } from './named.ts'
import { answers, because, jsonObject, jsonValue, outcomeKind, requestState, verdictKind } from './values.ts'

const key = z
  .string()
  .describe(
    'Made up by the runner, and unguessable. The same key gets the same hold again, another gets none.',
  )

export const can = strictObject(
  'WireCan',
  'What the caller can carry back to its model; people are not offered what is false.',
  {
    edit: z.boolean().exactOptional(),
    respond: z.boolean().exactOptional(),
    reason: z.boolean().exactOptional(),
    terminate: z.boolean().exactOptional(),
  },
)

export const holdBody = z.strictObject({
  call: callBody,
  key,
  can: can.exactOptional(),
  waitsFor: optional(
    z.string(),
    'The request that an earlier exchange of this hold named: it goes on waiting for that one.',
  ),
  remember: optional(z.boolean(), 'The result will be kept: say so where none was.'),
  join: optional(
    z.boolean(),
    'Its id is new at each repetition: join the same call if it waits and nobody waits for it.',
  ),
})

const heldPlace = { session: z.string(), callId: z.string(), key }

export const heldOutcomeBody = strictObject(
  'WireHeldOutcome',
  'What became of a held call that nobody was asked about.',
  {
    ...heldPlace,
    outcome: outcomeKind,
    summary: optional(z.string(), 'A short text for people.'),
    result: optional(z.string(), 'What remember keeps, as text.'),
  },
)

const cause = z.string().describe('Why, in a few words.')

export const heldReleaseBody = z.strictObject({ ...heldPlace, cause })

export const releaseBody = z
  .strictObject({ cause, claimId: z.string().exactOptional(), key: key.exactOptional() })
  .refine(
    (body) => (body.claimId === undefined) !== (body.key === undefined),
    'must have either claimId or key',
  )

export const released = z.object({ requestId: z.string().exactOptional() })

const about = { requestId: z.string().exactOptional(), by: z.string().exactOptional() }

export const asked = object('WireAsked', {
  requestId: z.string(),
  state: requestState,
  ...because,
  predecessor: z.string().exactOptional(),
  approvers: optional(z.array(z.string()), 'Who can decide, as people know them.'),
  expiresInMs: optional(z.number(), 'How long it stays open for an answer, from now.'),
  url: optional(z.string(), 'Where people open the request.'),
})

export const held = object(
  'WireHeld',
  'The right to run the call. With a requestId it is a claim under a lease; without, nobody was asked and it needs no renewal.',
  {
    kind: z.literal('held'),
    ...heldPlace,
    arguments: jsonObject,
    edited: jsonObject.exactOptional(),
    ...about,
    claimId: z.string().exactOptional(),
    leaseMs: optional(
      z.number(),
      'How long the claim lasts unless it is renewed. The runner counts from when it asked, by a clock of its own.',
    ),
  },
)

export const replayed = object('WireReplayed', 'What was kept of an earlier run.', {
  kind: z.literal('ran'),
  replayed: z.literal(true),
  ranAt: z.number(),
  ok: z.boolean(),
  value: jsonValue.exactOptional(),
  error: z.object({ name: z.string(), message: z.string() }).exactOptional(),
  edited: jsonObject.exactOptional(),
  ...about,
})

export const refused = object('WireRefused', {
  kind: z.literal('refused'),
  state: z.union([z.enum(['denied', 'error']), requestState]),
  code: z.string(),
  ...because,
  mayRetry: z.boolean(),
  summary: z.string().exactOptional(),
  ...about,
})

export const answered = object('WireAnswered', {
  kind: z.literal('answered'),
  text: z.string().exactOptional(),
  answers: answers.exactOptional(),
  by: z.string(),
  requestId: z.string(),
})

export const pending = object('WirePending', {
  kind: z.literal('pending'),
  because: z.enum(['hold_over', 'aborted']),
  requestId: z.string().exactOptional(),
  asked: asked.exactOptional(),
})

export const hold = named(
  'WireHold',
  z.discriminatedUnion('kind', [held, replayed, refused, answered, pending]),
)

export const judgement = object('WireJudgeResult', { kind: verdictKind, because: z.string() })
