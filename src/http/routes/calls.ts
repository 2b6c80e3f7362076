/** Tool calls: an agent submits one, and people look at those for which nobody was asked. */

import { z } from 'zod'
import { defined } from '../../core/defined.ts'
import type { JsonValue } from '../../core/json.ts'
import type { WireReview } from '../../core/wire.ts'
import { sayBecause } from '../../display/because.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { holdFor, holdQuery } from '../hold.ts'
import { createIdempotencyKeys } from '../idempotency.ts'
import { callToWire } from '../records-to-wire.ts'
import { pageQuery, type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'
import { callBody } from '../schemas/bodies.ts'
import { toWire } from '../to-wire.ts'

export function callRoutes(gateway: Gateway): Route[] {
  const keys = createIdempotencyKeys()
  return [
    route({
      method: 'POST',
      path: '/v1/calls',
      summary: 'Submit a tool call. Answers with the verdict, and with the request where a person is asked.',
      access: 'anyone',
      query: z.strictObject({ hold: holdQuery.exactOptional() }),
      body: callBody,
      bodyCode: 'invalid_call',
      answers: [{ status: 200, description: 'The verdict.', schema: answers.review }],
      async answer({ c, caller, query, body }) {
        const key = c.req.header('idempotency-key')
        const use = { subject: caller.actor.subject, key, body: body as unknown as JsonValue }
        const { verdict, request, repeated } = await keys.run(use, () =>
          // Whoever submits a call by itself runs it when it is allowed.
          gateway.review(body, caller.actor, { allowed: { kind: 'run' } }),
        )
        const { kind, because, rule } = verdict
        const answer: WireReview = {
          repeated,
          verdict: {
            kind,
            because: sayBecause({ because, rule, tool: body.tool }, caller.locale),
            ...defined({ rule }),
          },
        }
        if (request !== undefined) {
          const held = await holdFor(gateway, c, request, query.hold ?? 0, caller)
          answer.request = await toWire(gateway, held, caller, 'whole')
        }
        return c.json(answer)
      },
    }),
    route({
      method: 'GET',
      path: '/v1/calls',
      summary: 'The calls that the policy allowed or denied, newest first.',
      access: 'people',
      query: z.strictObject({ ...pageQuery, session: z.string().exactOptional() }),
      answers: [{ status: 200, description: 'A page of calls.', schema: answers.pageOf(answers.call) }],
      async answer({ c, caller, query }) {
        const page = await gateway.history.calls(query, caller.actor)
        return c.json({ ...page, items: page.items.map((call) => callToWire(gateway, call, caller.locale)) })
      },
    }),
  ]
}
