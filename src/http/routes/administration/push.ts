/** Web Push: where a person is told that something waits. Everyone sees and changes only their own (P6). */
import { BanksmanError } from '../../../core/errors.ts'
import type { PushSubscribing } from '../../../people/driver.ts'
import { endpointBody, push, subscriptionBody } from '../../../wire/push.ts'
import { type Route, route } from '../route.ts'

export interface PushParts {
  /** Web Push, where it is switched on. */
  push?: PushSubscribing
}

export function pushRoutes({ push: subscribing }: PushParts): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/push',
      summary: 'Whether the server sends pushes, and to which of your browsers.',
      access: 'people',
      answers: [{ status: 200, description: 'The state.', schema: push }],
      answer: async ({ c, caller }) =>
        c.json(
          subscribing === undefined
            ? { on: false, subscriptions: [] }
            : await subscribing.state(caller.actor.subject),
        ),
    }),
    route({
      method: 'PUT',
      path: '/v1/push/subscription',
      summary:
        'Have a browser told when something waits for you. It ends with the credential that it was made with.',
      access: 'people',
      body: subscriptionBody,
      answers: [{ status: 200, description: 'Subscribed, or changed.', schema: push }],
      async answer({ c, caller, body }) {
        if (subscribing === undefined)
          throw new BanksmanError(
            'unknown_route',
            'this server sends no pushes; they are switched on with push: { on: true, contact: … } in its configuration',
          )
        const { actor, token } = caller
        return c.json(await subscribing.subscribe({ subject: actor.subject, token }, body))
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/push/subscription',
      summary: 'Push no more to this browser. Doing it again is a success.',
      access: 'people',
      body: endpointBody,
      answers: [{ status: 204, description: 'Forgotten.' }],
      async answer({ c, caller, body }) {
        await subscribing?.unsubscribe(caller.actor.subject, body.endpoint)
        return c.body(null, 204)
      },
    }),
  ]
}
