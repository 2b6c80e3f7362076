/** What the policy says of a call, without recording or asking anything. An agent must not use it to look for gaps. */
import type { Gateway } from '../../gateway/gateway.ts'
import { type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'
import { explainBody } from '../schemas/bodies.ts'

export function policyRoutes(gateway: Gateway): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/policy/explain',
      summary: 'What the policy says of a call, and why.',
      access: 'people',
      body: explainBody,
      bodyCode: 'invalid_call',
      answers: [{ status: 200, description: 'The verdict.', schema: answers.verdict }],
      async answer({ c, caller, body }) {
        const call = { callId: 'explain', session: 'explain', ...body }
        return c.json(await gateway.explain(call, caller.actor))
      },
    }),
  ]
}
