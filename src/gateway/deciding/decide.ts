/**
 * `decide`: a person answers. Who it is comes from the connection; whether they may is looked up now; what they
 * were shown must be what is asked; and of any number of answers one is recorded (P2, P6).
 */

import type { Identified } from '../../core/authority.ts'
import type { DecisionInput } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Actor } from '../../core/session.ts'
import type { FindPerson } from '../access/find-person.ts'
import type { ExpireOne } from '../lifecycle/expire.ts'
import { changeRequest, type GatewayContext, unknownRequestId } from '../requests/change-request.ts'
import { endSessions } from '../sessions/end-sessions.ts'
import { type DecideResult, toDecideResult } from './decide-result.ts'
import { type PreparedDecision, prepareDecision } from './prepare-decision.ts'

export type DecideVerb = (id: string, input: DecisionInput, by: Identified) => Promise<DecideResult>

export function createDecide(hall: GatewayContext, expireOne: ExpireOne, findPerson: FindPerson): DecideVerb {
  return async (id, input, by) => {
    const actor = await findPerson(by, id)
    const decision = prepareDecision(hall, input, actor)
    const request = hall.recent.get(id) ?? (await hall.store.get(id))
    if (request === undefined) throw unknownRequestId(id)
    await decision.admit(request)
    try {
      if (input.decision === 'terminate') return await terminate(hall, id, decision, actor)
      const { request: moved, changed } = await changeRequest(
        hall,
        id,
        decision.event,
        decision.describe,
        request,
      )
      return toDecideResult(hall, moved, changed)
    } catch (error) {
      // The deadline came first: it is recorded now rather than when a timer gets to it.
      if (isBanksmanError(error, 'expired')) await expireOne(id)
      throw error
    }
  }
}

async function terminate(
  hall: GatewayContext,
  id: string,
  decision: PreparedDecision,
  actor: Actor,
): Promise<DecideResult> {
  const { reason } = decision.input
  const { request, changed } = await endSessions(hall, {
    by: actor.subject,
    ...defined({ reason }),
    decided: {
      id,
      event: decision.event,
      describe: (now, event, next) => decision.describe(now, event, next).members,
    },
  })
  return toDecideResult(hall, request!, changed)
}
