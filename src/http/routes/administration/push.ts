/** Web Push: where a person is told that something waits. Everyone sees and changes only their own (P6). */

import { reasonOf } from '../../../core/reasons/reason-of.ts'
import { reasonedError } from '../../../core/reasons/reasoned-error.ts'
import type { PushSubscribing } from '../../../people/driver.ts'
import { endpointBody, push, subscriptionBody } from '../../../wire/push.ts'
import { json, noContent, type Route, route } from '../route.ts'

export interface PushParts {
  /** Web Push, where it is switched on. */
  push?: PushSubscribing
}

export function pushRoutes({ push: subscribing }: PushParts): Route[] {
  return [
    route('GET /v1/push', {
      summary: 'Whether the server sends pushes, and to which of your browsers.',
      access: 'people',
      answers: [json('The state.', push)],
      answer: async ({ caller }) =>
        subscribing === undefined
          ? { on: false, subscriptions: [] }
          : await subscribing.state(caller.actor.subject),
    }),
    route('PUT /v1/push/subscription', {
      summary:
        'Have a browser told when something waits for you. It ends with the credential that it was made with.',
      access: 'people',
      body: subscriptionBody,
      answers: [json('Subscribed, or changed.', push)],
      async answer({ caller, body }) {
        if (subscribing === undefined) throw reasonedError('unknown_route', reasonOf('push.off'))
        const { actor, token } = caller
        return subscribing.subscribe({ subject: actor.subject, token }, body)
      },
    }),
    route('DELETE /v1/push/subscription', {
      summary: 'Push no more to this browser. Doing it again is a success.',
      access: 'people',
      body: endpointBody,
      answers: [noContent('Forgotten.')],
      async answer({ caller, body }) {
        await subscribing?.unsubscribe(caller.actor.subject, body.endpoint)
      },
    }),
  ]
}
