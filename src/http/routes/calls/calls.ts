/** Tool calls: an agent submits one, and people look at those for which nobody was asked. */

import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import type { JsonValue } from '../../../core/json/json.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as callWire from '../../../wire/call.ts'
import { callBody } from '../../../wire/call.ts'
import * as pageWire from '../../../wire/page.ts'
import { pageQuery } from '../../../wire/page.ts'
import type { WireReview } from '../../../wire/types/call.ts'
import { holdQuery, waitForDecision } from '../../connection/long-poll.ts'
import { createIdempotencyKeys } from '../../from-wire/idempotency-keys.ts'
import { becauseToWire } from '../../to-wire/reason-to-wire.ts'
import { callToWire } from '../../to-wire/records-to-wire.ts'
import { requestToWire } from '../../to-wire/request-to-wire.ts'
import { json, type Route, route } from '../route.ts'

export function callRoutes(gateway: Gateway): Route[] {
  const keys = createIdempotencyKeys()
  return [
    route('POST /v1/calls', {
      summary: 'Submit a tool call. Answers with the verdict, and with the request where a person is asked.',
      access: 'anyone',
      query: z.strictObject({ hold: holdQuery.exactOptional() }),
      body: callBody,
      bodyCode: 'invalid_call',
      answers: [json('The verdict.', callWire.review)],
      async answer({ c, caller, query, body }) {
        await gateway.sessionSightings.note({ session: body.session, folder: body.cwd }, caller.actor)
        const key = c.req.header('idempotency-key')
        const use = { subject: caller.actor.subject, key, body: body as unknown as JsonValue }
        const { verdict, request, repeated } = await keys.run(use, () =>
          // Whoever submits a call by itself runs it when it is allowed.
          gateway.review(body, caller.actor, { allowed: { kind: 'run' } }),
        )
        const { kind, rule } = verdict
        const answer: WireReview = {
          repeated,
          verdict: { kind, ...becauseToWire(verdict, caller.locale), ...defined({ rule }) },
        }
        if (request !== undefined) {
          const held = await waitForDecision(gateway, c, request, query.hold ?? 0, caller)
          answer.request = await requestToWire(gateway, held, caller, 'whole')
        }
        return answer
      },
    }),
    route('GET /v1/calls', {
      summary: 'The calls that the policy allowed or denied, newest first.',
      access: 'people',
      query: z.strictObject({ ...pageQuery, session: z.string().exactOptional() }),
      answers: [json('A page of calls.', pageWire.pageOf(callWire.call))],
      async answer({ caller, query }) {
        const page = await gateway.history.calls(query, caller.actor)
        return { ...page, items: page.items.map((call) => callToWire(gateway, call, caller.locale)) }
      },
    }),
  ]
}
