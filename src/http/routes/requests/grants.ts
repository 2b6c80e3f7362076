/** The ledger of grants, and what could be granted with a decision. */
import { z } from 'zod'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as grantWire from '../../../wire/grant.ts'
import * as pageWire from '../../../wire/page.ts'
import { pageQuery } from '../../../wire/page.ts'
import type { WireGrant, WireSuggestions } from '../../../wire/types/grant.ts'
import { grantToWire, suggestionToWire } from '../../to-wire/grants-to-wire.ts'
import { json, noContent, type Route, route } from '../route.ts'

export function grantRoutes(gateway: Gateway): Route[] {
  return [
    route('GET /v1/requests/{id}/suggestions', {
      summary:
        'Which grants a decision on a pending request may leave behind, from narrow to wide, and what each would have matched in the last 30 days. For who may decide.',
      access: 'people',
      answers: [json('The suggestions.', grantWire.suggestions)],
      async answer({ caller, step }) {
        const found = await gateway.suggestions(step('id'), caller.actor)
        const answer: WireSuggestions = {
          suggestions: found.map((suggestion) => suggestionToWire(gateway, suggestion, caller.locale)),
        }
        return answer
      },
    }),
    route('GET /v1/grants', {
      summary: 'Remembered permissions that decisions left behind.',
      access: 'people',
      query: z.strictObject(pageQuery),
      answers: [json('A page of grants.', pageWire.pageOf(grantWire.grant))],
      async answer({ caller, query }) {
        const page = await gateway.grants(query, caller.actor)
        const items: WireGrant[] = []
        for (const grant of page.items) items.push(await grantToWire(gateway, grant, caller))
        return { ...page, items }
      },
    }),
    route('DELETE /v1/grants/{id}', {
      summary: 'Revoke a grant. Revoking it again is a success.',
      access: 'people',
      answers: [noContent('Revoked.')],
      async answer({ caller, step }) {
        await gateway.revokeGrant(step('id'), caller.actor)
      },
    }),
  ]
}
