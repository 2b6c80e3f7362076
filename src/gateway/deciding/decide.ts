/**
 * `decide`: a person answers. Who it is comes from the connection; whether they may is looked up now; what they
 * were shown must be what is asked; and of any number of answers one is recorded (P2, P6).
 */

import type { Identified } from '../../core/authority.ts'
import type { DecisionInput } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { isBanksmanError } from '../../core/errors.ts'
import type { Store } from '../../stores/store.ts'
import type { FindPerson } from '../access/find-person.ts'
import type { Host } from '../host.ts'
import type { ExpireOne } from '../lifecycle/expire.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { unknownRequestId } from '../requests/request-refusals.ts'
import type { EndSessions } from '../sessions/end-sessions.ts'
import { type DecideResult, toDecideResult } from './decide-result.ts'
import type { PrepareDecision } from './prepare-decision.ts'

export type DecideVerb = (id: string, input: DecisionInput, by: Identified) => Promise<DecideResult>

export interface DecidePorts {
  store: Pick<Store, 'get'>
  changes: RequestChanges
  findPerson: FindPerson
  prepare: PrepareDecision
  endSessions: EndSessions
  expireOne: ExpireOne
  host: Pick<Host, 'observe'>
}

export function createDecide({
  store,
  changes,
  findPerson,
  prepare,
  endSessions,
  expireOne,
  host,
}: DecidePorts): DecideVerb {
  return async (id, input, who) => {
    const actor = await findPerson(who, id)
    const decision = prepare(input, actor)
    const request = changes.recent.get(id) ?? (await store.get(id))
    if (request === undefined) throw unknownRequestId(id)
    const { plan } = await decision.admit(request)
    try {
      if (input.decision !== 'terminate') return toDecideResult(host, await changes.change(id, plan, request))
      const by = actor.subject
      const ended = await endSessions({ by, ...defined({ reason: input.reason }), decided: { id, plan } })
      return toDecideResult(host, { request: ended.request!, changed: ended.changed })
    } catch (error) {
      // The deadline came first: it is recorded now rather than when a timer gets to it.
      if (isBanksmanError(error, 'expired')) await expireOne(id)
      throw error
    }
  }
}
