/** What the policy says of a call, and what another would have said. An agent must not use these to look for gaps. */
import { BanksmanError } from '../../core/errors.ts'
import type { WireReplay } from '../../core/wire.ts'
import { type Locale, renderCall } from '../../display/index.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { HttpParts } from '../parts.ts'
import { type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'
import { explainBody, replayBody } from '../schemas/bodies.ts'

export function policyRoutes({ gateway, candidatePolicy }: HttpParts): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/policy/explain',
      summary: 'What the policy says of a call, and all that led to it.',
      access: 'people',
      body: explainBody,
      bodyCode: 'invalid_call',
      answers: [{ status: 200, description: 'The verdict and its reasons.', schema: answers.explanation }],
      async answer({ c, caller, body }) {
        const { mode, ...parts } = body
        const call = { callId: 'explain', session: 'explain', ...parts }
        return c.json(await gateway.explain(call, caller.actor, mode === undefined ? {} : { mode }))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/policy/replay',
      summary: 'What another policy would have said of the calls on record. Nothing is changed.',
      access: 'people',
      body: replayBody,
      answers: [{ status: 200, description: 'What would have changed.', schema: answers.replay }],
      async answer({ c, caller, body }) {
        if (candidatePolicy === undefined) {
          throw new BanksmanError('unknown_route', 'this server can not try policies out')
        }
        const { policy, tools, ...query } = body
        const candidate = candidatePolicy({ policy, ...(tools === undefined ? {} : { tools }) })
        return c.json(replayToWire(await gateway.replay(candidate, query, caller.actor), caller.locale))
      },
    }),
  ]
}

function replayToWire(replay: Awaited<ReturnType<Gateway['replay']>>, locale: Locale): WireReplay {
  const { isCut, groups, ...counts } = replay
  return {
    ...counts,
    ...(isCut ? { cut: true } : {}),
    groups: groups.map(({ rule, examples, ...group }) => ({
      ...group,
      ...(rule === undefined ? {} : { rule }),
      examples: examples.map((content) => renderCall(content, { locale }).summary),
    })),
  }
}
