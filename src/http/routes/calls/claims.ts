/** From the approval to the outcome: what a runner does. A claim gives the true arguments, to whoever submitted them. */
import { defined } from '../../../core/defined.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as answers from '../../../wire/answers.ts'
import * as callWire from '../../../wire/call.ts'
import { cancelBody, claimBody, outcomeBody, renewBody } from '../../../wire/call.ts'
import { releaseBody } from '../../../wire/hold.ts'
import * as requestWire from '../../../wire/request.ts'
import type { WireRenewal } from '../../../wire/types/call.ts'
import type { Caller } from '../../access/authentication.ts'
import { requestToWire } from '../../to-wire/request-to-wire.ts'
import { toTime } from '../../to-wire/time-to-wire.ts'
import { json, type Route, route } from '../route.ts'

export function claimRoutes(gateway: Gateway): Route[] {
  return [
    route('POST /v1/requests/{id}/claim', {
      summary: 'Take the single-use right to run an approved call. The same key gets the same claim.',
      access: 'anyone',
      body: claimBody,
      answers: [json('The claim, with the arguments that were approved.', callWire.claim)],
      async answer({ caller, body, step }) {
        const claimed = await gateway.claim(step('id'), body, caller.actor)
        return {
          claimId: claimed.claimId,
          arguments: claimed.arguments,
          digest: body.digest,
          leaseUntil: toTime(claimed.leaseUntil),
          leaseMs: claimed.request.progress.claim!.leaseMs,
        }
      },
    }),
    route('POST /v1/requests/{id}/claim/renew', {
      summary: 'Still running. Says whether the call was told to stop.',
      access: 'anyone',
      body: renewBody,
      answers: [json('Until when the lease holds.', callWire.renewal)],
      answer: ({ caller, body, step }) => renewClaim(gateway, step('id'), body.claimId, caller),
    }),
    route('POST /v1/requests/{id}/claim/release', {
      summary: 'Give a claim back without an outcome: suspended, not failed. Its key never claims again.',
      access: 'anyone',
      body: releaseBody,
      answers: [json('The request, approved again.', requestWire.request)],
      async answer({ caller, body: { cause, claimId, key }, step }) {
        const which = claimId === undefined ? { key: key! } : { claimId }
        const request = await gateway.release(step('id'), { ...which, cause }, caller.actor)
        return requestToWire(gateway, request, caller, 'whole')
      },
    }),
    route('POST /v1/requests/{id}/outcome', {
      summary: 'Report what happened to a claimed call.',
      access: 'anyone',
      body: outcomeBody,
      answers: [json('The request.', requestWire.request)],
      async answer({ caller, body, step }) {
        const request = await gateway.report(step('id'), body, caller.actor)
        return requestToWire(gateway, request, caller, 'whole')
      },
    }),
    route('POST /v1/requests/{id}/cancel', {
      summary: 'Withdraw a request, or call an approval back. A running call is told to stop.',
      access: 'anyone',
      body: cancelBody,
      answers: [json('It has taken effect.', answers.cancelled)],
      async answer({ caller, body, step }) {
        const { request, recorded } = await gateway.cancel(step('id'), body, caller.actor)
        return { request: await requestToWire(gateway, request, caller, 'whole'), recorded }
      },
    }),
  ]
}

export async function renewClaim(
  gateway: Gateway,
  id: string,
  claimId: string,
  { actor }: Pick<Caller, 'actor'>,
): Promise<WireRenewal> {
  const { leaseUntil, stop, request } = await gateway.renew(id, claimId, actor)
  const { claim, stop: stopped } = request.progress
  return { leaseUntil: toTime(leaseUntil), leaseMs: claim!.leaseMs, stop, ...defined({ stopped }) }
}
