/** Whether what was approved may still run: asked at the claim, since the policy, people and the world change meanwhile (P5). */
import { DEFAULT_APPROVERS } from '../../core/authority.ts'
import { contentOf } from '../../core/call.ts'
import { reachesQuorum } from '../../core/decisions/votes.ts'
import { BanksmanError } from '../../core/errors.ts'
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
    await withdraw(ports, request.id, 'facts_changed', 'what the call was judged on has changed since')
  }
  const session = await ports.store.sessions.get(request.session)
  const mode = modes.inForce(session)
  const verdict = policy().evaluate(call, facts, mode === undefined ? {} : { mode })
  if (verdict.kind === 'deny') await withdraw(ports, request.id, 'denied_at_claim', verdict.because)
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
  const who = `${quorum > 1 ? `${quorum} of ` : ''}${approvers.join(' or ')}`
  await withdraw(ports, id, 'terms_changed', `${rule} now needs the approval of ${who}`)
}

async function withdraw(
  { changes }: Pick<RecheckPorts, 'changes'>,
  id: string,
  cause: CancelCause,
  reason: string,
): Promise<never> {
  const { request } = await changes.change(id, (now) => {
    // Another claim was quicker: what runs is not called back by this one.
    if (now.state !== 'approved') throw requestRefusal('already_claimed', `the request is ${now.state}`, now)
    return {
      event: { kind: 'cancel', cause, by: 'policy', reason },
      describe: (next) => ({
        type: 'request.cancelled',
        members: { by: 'policy', cause, reason, state: next.to },
      }),
    }
  })
  const code = cause === 'facts_changed' ? 'facts_changed' : 'cancelled'
  throw new BanksmanError(code, `it must not run: ${reason}`, { state: request.state, cause })
}
