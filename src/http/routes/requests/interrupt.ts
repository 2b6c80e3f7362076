/**
 * The pending requests of a session as one interrupt, and a decision on all of them at once: for hosts that were written for
 * interrupts and resumes. Only people decide, and only people are asked (P11).
 */
import { defined } from '../../../core/defined.ts'
import type { Gateway } from '../../../gateway/gateway-verbs.ts'
import * as schemas from '../../../wire/interrupt.ts'
import { checkConversation, resumeFromWire } from '../../from-wire/resume-from-wire.ts'
import { interruptToWire } from '../../to-wire/interrupt-to-wire.ts'
import { json, noContent, type Route, route } from '../route.ts'

export function interruptRoutes(gateway: Gateway): Route[] {
  return [
    route('GET /v1/sessions/{id}/interrupt', {
      summary:
        'All that waits for people in a session and in what it started, in the shapes of an interrupt.',
      access: 'people',
      answers: [json('What waits.', schemas.interrupt), noContent('Nothing waits.')],
      async answer({ c, caller, step }) {
        const waiting = await gateway.waiting(step('id'), caller.actor)
        if (waiting === undefined) return c.body(null, 204)
        return interruptToWire(gateway, waiting, caller)
      },
    }),
    route('POST /v1/sessions/{id}/resume', {
      summary: 'Decide all that waits in a session in one go: all of it is recorded, or nothing.',
      access: 'people',
      body: schemas.resumeBody,
      bodyCode: 'invalid_resume',
      answers: [json('What was recorded.', schemas.resumed)],
      async answer({ caller, body, step }) {
        checkConversation(body, step('id'))
        const { session, status, decisions } = await gateway.resume(
          step('id'),
          { ...defined({ actionId: body.actionId }), decisions: (waiting) => resumeFromWire(body, waiting) },
          caller.actor,
        )
        return {
          sessionId: session,
          // Whoever speaks the original's body reads the original's answer.
          ...(body.conversationId === undefined ? {} : { conversationId: session, streamId: session }),
          status,
          decisions: decisions.map(({ callId, decision, decided, request }) => ({
            tool_call_id: callId,
            request_id: request.id,
            type: decision,
            decided,
            state: request.state,
          })),
        }
      },
    }),
  ]
}
