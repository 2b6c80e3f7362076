/** The ledger of grants. */
import { z } from 'zod'
import type { Gateway } from '../../gateway/gateway.ts'
import { grantToWire } from '../records-to-wire.ts'
import { pageQuery, type Route, route } from '../route.ts'
import * as answers from '../schemas/answers.ts'

export function grantRoutes(gateway: Gateway): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/grants',
      summary: 'Remembered permissions that decisions left behind.',
      access: 'people',
      query: z.strictObject(pageQuery),
      answers: [{ status: 200, description: 'A page of grants.', schema: answers.pageOf(answers.grant) }],
      async answer({ c, caller, query }) {
        const page = await gateway.grants(query, caller.actor)
        return c.json({ ...page, items: page.items.map(grantToWire) })
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/grants/{id}',
      summary: 'Revoke a grant. Revoking it again is a success.',
      access: 'people',
      answers: [{ status: 204, description: 'Revoked.' }],
      async answer({ c, caller, step }) {
        await gateway.revokeGrant(step('id'), caller.actor)
        return c.body(null, 204)
      },
    }),
  ]
}
