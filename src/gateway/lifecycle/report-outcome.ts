/** `report` and `settle`: what became of a call that was claimed, said by its runner or by a person. */

import { mayDecideAny } from '../../core/decisions/votes.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { currentTerms, type Outcome, type Request } from '../../core/request.ts'
import type { OutcomeKind } from '../../core/request-state.ts'
import type { Actor } from '../../core/session.ts'
import { checkedResult } from '../../guard/kept-result.ts'
import type { Store } from '../../stores/store.ts'
import type { Host } from '../host.ts'
import type { Authority } from '../requests/authority.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { unknownRequestId } from '../requests/request-refusals.ts'

export interface OutcomeVerbs {
  report(id: string, input: ReportInput, actor: Actor): Promise<Request>
  /** A person says what became of a call whose runner fell silent. */
  settle(id: string, input: { outcome: OutcomeKind; summary?: string }, actor: Actor): Promise<Request>
}

export interface ReportInput {
  claimId: string
  outcome: OutcomeKind
  summary?: string | undefined
  /** The tool's result, as `remember` keeps it. Taken within the lease only. */
  result?: string | undefined
}

export interface OutcomePorts {
  store: Pick<Store, 'get' | 'now' | 'sessions'>
  changes: RequestChanges
  authority: Authority
  host: Pick<Host, 'observe'>
}

export const MAX_SUMMARY = 4096

export function createOutcomeVerbs(ports: OutcomePorts): OutcomeVerbs {
  const { store, changes, authority, host } = ports
  return {
    async report(id, input, actor) {
      checkOutcome(input.outcome)
      const result = checkedResult(input.result, input.outcome)
      const seen = await ownRequest(ports, id, actor)
      const { request } = await changes.change(
        id,
        (now) => {
          const outcome = outcomeOf(now, input, actor, store.now())
          return {
            event: { kind: 'report', claimId: input.claimId, outcome },
            describe: (next) => ({
              type: 'request.reported',
              members: describeOutcome(next.progress.outcome!, next.to),
              // A runner that fell silent may have been overtaken by what a person saw and settled.
              ...(result === undefined || !isLeased(now, store.now()) ? {} : { result }),
            }),
          }
        },
        seen,
      )
      host.observe({ kind: 'ended', state: request.state })
      return request
    },

    async settle(id, input, actor) {
      checkOutcome(input.outcome)
      const request = await store.get(id)
      if (request === undefined) throw unknownRequestId(id)
      const session = await store.sessions.get(request.session)
      if (actor.role === 'agent') throw await authority.refuseAgent(request, actor, 'settle')
      if (!mayDecideAny(actor.subject, currentTerms(request).conditions, authority.may(session)))
        throw await authority.refuse(request, actor, 'not_yours', reasonOf('problem.others-settle'))
      const moved = await changes.change(id, (now) => ({
        event: {
          kind: 'settle',
          outcome: { ...outcomeOf(now, input, actor, store.now()), settled: true },
        },
        describe: (next) => ({
          type: 'request.settled',
          members: describeOutcome(next.progress.outcome!, next.to),
        }),
      }))
      return moved.request
    },
  }
}

/** Whose request it is not does not learn that it exists (P6). */
export async function ownRequest(
  { changes, store }: Pick<OutcomePorts, 'changes' | 'store'>,
  id: string,
  actor: Actor,
): Promise<Request> {
  const request = changes.recent.get(id) ?? (await store.get(id))
  if (request === undefined || request.submittedBy !== actor.subject) throw unknownRequestId(id)
  return request
}

function isLeased({ state, deadline }: Request, now: number): boolean {
  return state === 'running' && deadline !== null && deadline > now
}

function checkOutcome(outcome: unknown): void {
  if (outcome !== 'ok' && outcome !== 'error') {
    throw new BanksmanError('invalid', `outcome must be ok or error; found ${JSON.stringify(outcome)}`)
  }
}

function outcomeOf(
  { commitmentKey }: Request,
  input: { outcome: OutcomeKind; summary?: string | undefined },
  actor: Actor,
  at: number,
): Outcome {
  const whole = input.summary?.toWellFormed()
  const summary = whole?.slice(0, MAX_SUMMARY).toWellFormed()
  // The key goes when the arguments are erased, and then there is nothing to compare by.
  const said = commitmentKey && commitmentOf(commitmentKey, canonicalize([input.outcome, whole ?? null]))
  return { kind: input.outcome, ...defined({ summary }), at, by: actor.subject, ...(said ? { said } : {}) }
}

function describeOutcome(outcome: Outcome, state: Request['state']): JsonObject {
  return { by: outcome.by, outcome: outcome.kind, state, ...(outcome.late === true ? { late: true } : {}) }
}
