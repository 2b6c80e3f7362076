/** Whether what was approved may still run: asked at the claim, since the policy, people and the world change meanwhile (P5). */

import { DEFAULT_APPROVERS } from '../../core/authority.ts'
import { contentOf } from '../../core/call.ts'
import { reachesQuorum } from '../../core/decisions/votes.ts'
import { defined } from '../../core/defined.ts'
import { told } from '../../core/reasons/english.ts'
import type { Because } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { type CancelCause, currentTerms, type Request } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import type { ApprovalCondition } from '../../core/verdict.ts'
import type { Store } from '../../stores/store.ts'
import { ALWAYS_ASKED } from '../judging/forced-ask.ts'
import type { Judge } from '../judging/judge.ts'
import { factsDigest, judgedCallOf, sourceOf } from '../judging/judged-call.ts'
import type { Authority } from '../requests/authority.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { requestRefusal } from '../requests/request-refusals.ts'

export interface RecheckPorts {
  store: Pick<Store, 'sessions'>
  judge: Pick<Judge, 'policy' | 'gatherFacts' | 'modes'>
  authority: Authority
  changes: RequestChanges
}

/** Throws where it must not run any more. The request is cancelled then, and the reason recorded. */
export async function recheckApproval(ports: RecheckPorts, request: Request): Promise<void> {
  const { gatherFacts, policy, modes } = ports.judge
  const call = judgedCallOf(request, contentOf(request.progress.approved?.bytes ?? request.bytes))
  const facts = gatherFacts === undefined ? undefined : await gatherFacts(call, sourceOf(request))
  const isEdited = request.progress.approved?.bytes !== undefined
  const judgedOn = isEdited ? request.progress.edit?.factsDigest : request.factsDigest
  if (facts !== undefined && judgedOn !== undefined && factsDigest(facts) !== judgedOn) {
    await withdraw(ports, request.id, 'facts_changed', told(reasonOf('changed.facts')))
  }
  const session = await ports.store.sessions.get(request.session)
  const mode = modes.inForce(session)
  const verdict = policy().evaluate(call, facts, mode === undefined ? {} : { mode })
  if (verdict.kind === 'deny') await withdraw(ports, request.id, 'denied_at_claim', verdict)
  const asked = currentTerms(request).conditions.filter(({ rule }) => rule === ALWAYS_ASKED)
  const now = verdict.kind === 'ask' ? verdict.terms.conditions : []
  await recountVotes(ports, request, [...asked, ...now], session)
}

/** Those whom the policy asks now must have approved, and must still be people who may (P6); also where the caller had it asked. */
async function recountVotes(
  ports: RecheckPorts,
  { id, progress }: Request,
  conditions: readonly ApprovalCondition[],
  session: Session | undefined,
): Promise<void> {
  const { votes = [], approved } = progress
  const may = ports.authority.may(session)
  const missing = conditions.find((one) => !reachesQuorum(votes, approved?.digest ?? '', [one], may))
  if (missing === undefined) return
  const { rule, quorum, approvers = DEFAULT_APPROVERS } = missing
  const reason =
    quorum > 1 || approvers.length > 1
      ? reasonOf('changed.terms-count', { rule, count: quorum, approvers })
      : reasonOf('changed.terms', { rule, approvers })
  await withdraw(ports, id, 'terms_changed', told(reason))
}

async function withdraw(
  { changes }: Pick<RecheckPorts, 'changes'>,
  id: string,
  cause: CancelCause,
  { because, reason: why }: Because,
): Promise<never> {
  const { request } = await changes.change(id, (now) => {
    // Another claim was quicker: what runs is not called back by this one.
    if (now.state !== 'approved')
      throw requestRefusal(
        'already_claimed',
        reasonOf('request.is', { state: reasonOf(`state.${now.state}`) }),
        now,
      )
    return {
      event: { kind: 'cancel', cause, by: 'policy', reason: because, ...defined({ why }) },
      describe: (next) => ({
        type: 'request.cancelled',
        members: { by: 'policy', cause, reason: because, state: next.to },
      }),
    }
  })
  const code = cause === 'facts_changed' ? 'facts_changed' : 'cancelled'
  throw reasonedError(code, reasonOf('request.must-not-run', { why: why ?? because }), {
    state: request.state,
    cause,
  })
}
