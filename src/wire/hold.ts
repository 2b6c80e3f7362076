/** Holding a call: what comes in and what goes out. These are the results of `guard/contract.ts`, as JSON. */
import { z } from 'zod'
import { callBody } from './call.ts'
import { named } from './named.ts'
import { answers, jsonObject, jsonValue, outcomeKind, requestState, verdictKind } from './values.ts'

const key = z
  .string()
  .describe(
    'Made up by the runner, and unguessable. The same key gets the same hold again, another gets none.',
  )

export const can = named(
  'WireCan',
  z
    .strictObject({
      edit: z.boolean().exactOptional(),
      respond: z.boolean().exactOptional(),
      reason: z.boolean().exactOptional(),
      terminate: z.boolean().exactOptional(),
    })
    .describe('What the caller can carry back to its model; people are not offered what is false.'),
)

export const holdBody = z.strictObject({
  call: callBody,
  key,
  can: can.exactOptional(),
  waitsFor: z
    .string()
    .exactOptional()
    .describe('The request that an earlier exchange of this hold named: it goes on waiting for that one.'),
  remember: z.boolean().exactOptional().describe('The result will be kept: say so where none was.'),
  join: z
    .boolean()
    .exactOptional()
    .describe('Its id is new at each repetition: join the same call if it waits and nobody waits for it.'),
})

const heldPlace = { session: z.string(), callId: z.string(), key }

export const heldOutcomeBody = z.strictObject({
  ...heldPlace,
  outcome: outcomeKind,
  summary: z.string().exactOptional().describe('A short text for people.'),
  result: z.string().exactOptional().describe('What remember keeps, as text.'),
})

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

export const asked = named(
  'WireAsked',
  z.object({
    requestId: z.string(),
    state: requestState,
    because: z.string(),
    predecessor: z.string().exactOptional(),
  }),
)

export const held = named(
  'WireHeld',
  z
    .object({
      kind: z.literal('held'),
      ...heldPlace,
      arguments: jsonObject,
      edited: jsonObject.exactOptional(),
      ...about,
      claimId: z.string().exactOptional(),
      leaseMs: z
        .number()
        .exactOptional()
        .describe(
          'How long the claim lasts unless it is renewed. The runner counts from when it asked, by a clock of its own.',
        ),
    })
    .describe(
      'The right to run the call. With a requestId it is a claim under a lease; without, nobody was asked and it needs no renewal.',
    ),
)

export const replayed = named(
  'WireReplayed',
  z
    .object({
      kind: z.literal('ran'),
      replayed: z.literal(true),
      ranAt: z.number(),
      ok: z.boolean(),
      value: jsonValue.exactOptional(),
      error: z.object({ name: z.string(), message: z.string() }).exactOptional(),
      edited: jsonObject.exactOptional(),
      ...about,
    })
    .describe('What was kept of an earlier run.'),
)

export const refused = named(
  'WireRefused',
  z.object({
    kind: z.literal('refused'),
    state: z.union([z.enum(['denied', 'error']), requestState]),
    code: z.string(),
    because: z.string(),
    mayRetry: z.boolean(),
    summary: z.string().exactOptional(),
    ...about,
  }),
)

export const answered = named(
  'WireAnswered',
  z.object({
    kind: z.literal('answered'),
    text: z.string().exactOptional(),
    answers: answers.exactOptional(),
    by: z.string(),
    requestId: z.string(),
  }),
)

export const pending = named(
  'WirePending',
  z.object({
    kind: z.literal('pending'),
    because: z.enum(['hold_over', 'aborted']),
    requestId: z.string().exactOptional(),
    asked: asked.exactOptional(),
  }),
)

export const hold = named(
  'WireHold',
  z.discriminatedUnion('kind', [held, replayed, refused, answered, pending]),
)

export const judgement = named('WireJudgeResult', z.object({ kind: verdictKind, because: z.string() }))
