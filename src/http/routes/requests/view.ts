/** One request with all that is needed to decide it, and what an edit of it would be. For people (P6, P11). */
import { preview, previewBody, view } from '../../../wire/view.ts'
import { previewToWire, viewToWire } from '../../to-wire/view-to-wire.ts'
import { json, type Route, route } from '../route.ts'
import { type ConversationRouteParts, isChat } from '../sessions/read-session.ts'

export function viewRoutes(parts: ConversationRouteParts): Route[] {
  const { gateway } = parts
  return [
    route('GET /v1/requests/{id}/view', {
      summary:
        'All that is needed to decide a request: the call laid out, what the policy says of each part, what was decided before.',
      access: 'people',
      answers: [json('The view.', view)],
      async answer({ caller, step }) {
        const found = await gateway.view(step('id'), caller.actor)
        const chat = await isChat(parts, found.request.session, caller.actor)
        return { ...(await viewToWire(gateway, found, caller)), ...(chat ? { chat } : {}) }
      },
    }),
    route('POST /v1/requests/{id}/preview', {
      summary:
        'What an edit would be and what the policy would say of it, for who may decide. Nothing is recorded.',
      access: 'people',
      body: previewBody,
      answers: [json('The edited call.', preview)],
      answer: async ({ caller, body, step }) =>
        await previewToWire(gateway, await gateway.previewEdit(step('id'), body, caller.actor), caller),
    }),
  ]
}
