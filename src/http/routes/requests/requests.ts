/** Requests, for reading and deciding. Who may not see one is told that there is none (P6). */

import { z } from 'zod'
import { defined } from '../../../core/defined.ts'
import { BanksmanError } from '../../../core/errors.ts'
import { type Request, STATES } from '../../../core/request.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as answers from '../../../wire/answers.ts'
import { emptyBody } from '../../../wire/answers.ts'
import { settleBody } from '../../../wire/call.ts'
import { pageQuery } from '../../../wire/page.ts'
import * as requestWire from '../../../wire/request.ts'
import { decisionBody, requestPage } from '../../../wire/request.ts'
import type { WirePage } from '../../../wire/types/page.ts'
import type { WireRequest } from '../../../wire/types/request.ts'
import { briefQuery } from '../../../wire/view.ts'
import { holdQuery, waitForDecision } from '../../connection/long-poll.ts'
import { checkVisible, recordDecision } from '../../from-wire/record-decision.ts'
import { extentOf } from '../../to-wire/render-request.ts'
import { requestsToWire, requestToWire } from '../../to-wire/request-to-wire.ts'
import { json, type Route, route } from '../route.ts'

export function requestRoutes(gateway: Gateway): Route[] {
  const reveal = {
    access: 'anyone',
    summary: 'The arguments without their masks, for who may decide. It is written down who looked.',
    answers: [json('The arguments.', answers.revealed)],
  } as const

  return [
    route('GET /v1/requests', {
      summary: 'Requests in one state, in the order of their deadlines. Agents see their own.',
      access: 'anyone',
      query: z.strictObject({
        ...pageQuery,
        state: z.enum([...STATES, 'any']).default('pending'),
        session: z.string().exactOptional(),
        callId: z.string().exactOptional().describe('With session: the newest request of this call alone.'),
        brief: briefQuery,
      }),
      answers: [json('A page of requests.', requestPage)],
      async answer({ caller, query: { brief, callId, state: wanted, ...query } }) {
        const { actor } = caller
        const state = wanted === 'any' ? undefined : wanted
        const found =
          callId === undefined
            ? await gateway.list({ ...query, ...defined({ state }) }, actor)
            : await findOne(callId)
        const page: WirePage<WireRequest> & { total?: number } = {
          items: await requestsToWire(gateway, found.items, caller, extentOf(brief)),
        }
        if (found.cursor !== undefined) page.cursor = found.cursor
        if (actor.role !== 'agent' && query.session === undefined && state !== undefined)
          page.total = await gateway.count(state, actor)
        return page

        async function findOne(id: string): Promise<{ items: Request[]; cursor?: string }> {
          const { session } = query
          if (session === undefined)
            throw new BanksmanError(
              'invalid',
              'callId needs session beside it: an id is unique in its session',
            )
          const request = await gateway.find({ session, callId: id }, actor)
          const isWanted = request !== undefined && (state === undefined || request.state === state)
          return { items: isWanted ? [request] : [] }
        }
      },
    }),
    route('GET /v1/requests/{id}', {
      summary: 'One request, whole. With hold, once it is no longer pending.',
      access: 'anyone',
      query: z.strictObject({ hold: holdQuery.exactOptional() }),
      answers: [json('The request.', requestWire.request)],
      async answer({ c, caller, query, step }) {
        const request = await gateway.get(step('id'), caller.actor)
        const held = await waitForDecision(gateway, c, request, query.hold ?? 0, caller)
        return requestToWire(gateway, held, caller, 'whole')
      },
    }),
    route('POST /v1/requests/{id}/decisions', {
      summary:
        'Decide a request. Of any number of decisions one is recorded; the others get 409 with the recorded one.',
      access: 'anyone',
      body: decisionBody,
      bodyCode: 'invalid_decision',
      answers: [json('Recorded, now or before by the same person.', answers.decided)],
      answer: ({ caller, body, step }) => recordDecision(gateway, step('id'), body, caller, 'whole'),
    }),
    route('GET /v1/requests/{id}/arguments', {
      ...reveal,
      async answer({ c, caller, step }) {
        // Nobody has seen anything in an answer without a body, so it must not count as a look.
        if (c.req.method === 'HEAD') {
          throw new BanksmanError('method_not_allowed', `${c.req.path} is read by GET`, { allow: ['GET'] })
        }
        return { arguments: await gateway.reveal(step('id'), caller.actor) }
      },
    }),
    route('POST /v1/requests/{id}/reveal', {
      ...reveal,
      body: emptyBody,
      answer: async ({ caller, step }) => ({ arguments: await gateway.reveal(step('id'), caller.actor) }),
    }),
    route('POST /v1/requests/{id}/settle', {
      summary: 'Say what became of a call whose runner fell silent, for who may decide.',
      access: 'anyone',
      body: settleBody,
      answers: [json('The request.', requestWire.request)],
      async answer({ caller, body, step }) {
        await checkVisible(gateway, step('id'), caller)
        const request = await gateway.settle(step('id'), body, caller.actor)
        return requestToWire(gateway, request, caller, 'whole')
      },
    }),
  ]
}
