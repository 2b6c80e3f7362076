/**
 * Holding a call from elsewhere: one exchange reviews, waits and claims, and may be repeated with the same key until somebody has
 * heard its answer. What was taken under a lease is renewed, reported and given back by the routes of its request.
 */

import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import type { TakeInput } from '../../../gateway/guarding/guard.ts'
import { emptyAnswer } from '../../../wire/answers.ts'
import { callBody } from '../../../wire/call.ts'
import * as schemas from '../../../wire/hold.ts'
import type { WireAsked, WireHold } from '../../../wire/types/hold.ts'
import { type Caller, credentialNotValid } from '../../access/authentication.ts'
import type { HttpContext } from '../../connection/http-context.ts'
import { anyOf, holdQuery } from '../../connection/long-poll.ts'
import { createRateLimit } from '../../connection/rate-limit.ts'
import { json, type Route, route } from '../route.ts'

/** A framework asks once for a call; who asks more often is mapping the policy. */
export const JUDGEMENTS_PER_MINUTE = 60

export function holdRoutes(gateway: Gateway, { judgementsPerMinute = JUDGEMENTS_PER_MINUTE } = {}): Route[] {
  const judgements = createRateLimit(judgementsPerMinute, 'asked what would happen')
  return [
    route('POST /v1/judge', {
      summary: 'What would happen to a call now. Nothing is opened, claimed or used up, and nobody is asked.',
      access: 'anyone',
      body: callBody,
      bodyCode: 'invalid_call',
      answers: [json('A forecast.', schemas.judgement)],
      async answer({ caller, body }) {
        judgements.use(caller.token)
        return gateway.judge(body, { as: caller.actor })
      },
    }),
    route('POST /v1/holds', {
      summary:
        'Review a call, wait for a person where one is needed, and claim it. Repeat it with the same key while it is pending.',
      access: 'anyone',
      query: z.strictObject({ hold: holdQuery.exactOptional() }),
      body: schemas.holdBody,
      bodyCode: 'invalid_call',
      answers: [json('The right to run it, or why not.', schemas.hold)],
      answer: ({ c, caller, query, body }) => answerHold(gateway, { c, caller, holdMs: query.hold, body }),
    }),
    route('POST /v1/holds/outcome', {
      summary: 'Report what happened to a held call that nobody was asked about.',
      access: 'anyone',
      body: schemas.heldOutcomeBody,
      answers: [json('It is on the record.', emptyAnswer)],
      async answer({ caller, body: { session, callId, key, ...ended } }) {
        await gateway.reportHeld({ session, callId, key }, ended, caller.actor)
        return {}
      },
    }),
    route('POST /v1/holds/release', {
      summary: 'Give a held call back by its key, without an outcome.',
      access: 'anyone',
      body: schemas.heldReleaseBody,
      answers: [json('It can be held again, with another key.', schemas.released)],
      answer: ({ caller, body: { cause, ...place } }) => gateway.releaseHeld(place, cause, caller.actor),
    }),
  ]
}

export interface HoldExchange {
  c: HttpContext
  caller: Caller
  holdMs: number | undefined
  body: z.infer<typeof schemas.holdBody>
  /** What only our own routes can say of a call. */
  own?: Pick<TakeInput, 'asks' | 'allowsUnruled'>
  /** Where people open the request. */
  urlOf?: (requestId: string) => string | undefined
}

export async function answerHold(
  gateway: Gateway,
  { c, caller, holdMs = 0, body, own = {}, urlOf }: HoldExchange,
): Promise<WireHold> {
  const validity = caller.follow()
  const { signal, release } = anyOf([c.req.raw.signal, c.env?.closing, validity.over])
  let asked: WireAsked | undefined
  const taking: TakeInput = {
    key: body.key,
    holdMs,
    signal,
    can: body.can,
    remember: body.remember,
    waitsFor: body.waitsFor,
    ...(body.join === true ? { joinToken: caller.token } : {}),
    ...own,
    onAsked: (request) => {
      asked = { ...request, ...defined({ url: urlOf?.(request.requestId) }) }
    },
  }
  try {
    const { session, cwd } = body.call
    await gateway.sessionSightings.note({ session, folder: cwd }, caller.actor)
    const taken = await gateway.take(body.call, taking, caller.actor)
    if (validity.over.aborted) {
      if (taken.kind === 'held') await gateway.releaseHeld(taken, 'the token was revoked', caller.actor)
      throw credentialNotValid()
    }
    return toWire(taken, asked)
  } finally {
    validity.release()
    release()
  }
}

function toWire(taken: Awaited<ReturnType<Gateway['take']>>, asked: WireAsked | undefined): WireHold {
  switch (taken.kind) {
    case 'pending':
      return { ...taken, ...defined({ asked }) }
    case 'ran': {
      if (taken.ok) {
        const { value, ...rest } = taken
        return value === undefined ? rest : { ...rest, value }
      }
      const { name, message } = taken.error as Error
      return { ...taken, error: { name, message } }
    }
    default:
      return taken
  }
}
