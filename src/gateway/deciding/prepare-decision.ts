/**
 * One person's answer to one request: whether they may give it, and what it comes to for the request as it is. There is
 * one way to decide, whether one request is decided or several at once.
 */

import { mayApprove } from '../../core/authority.ts'
import type { Decision, DecisionInput, Vote } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Grant } from '../../core/grants/grant.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { checkAnswers } from '../../core/question.ts'
import { currentTerms, type Progress, type Request, shownDigest } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import { MAX_CLAIM_WITHIN_MS, type RequestEvent, type Step } from '../../core/transitions.ts'
import type { AskTerms } from '../../core/verdict.ts'
import { type MayApprove, mayDecideAny, reachesQuorum } from '../../core/votes.ts'
import type { EntryType } from '../../journal/entry.ts'
import { describeGrant, leaveGrant } from '../grants/leave-grant.ts'
import { judgeEdit, readEditedCall, termsOfEdit } from '../judging/judge-edit.ts'
import { factsDigest } from '../judging/judged-call.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { refuseAgent, refuseAttempt } from '../requests/refuse-attempt.ts'
import { checkUncovered } from '../requests/uncover.ts'
import { checkAllowed, checkDecisionShape, digestMismatch, notYoursText } from './check-decision.ts'

export interface PreparedDecision {
  readonly input: DecisionInput
  /** Throws where this actor may not decide the request at all; that they tried is on the record (P6, P11). */
  admit(request: Request): Promise<void>
  /** What happens to the request as it is now. Throws where the answer is none that it takes. Nothing is changed. */
  event(request: Request): Promise<RequestEvent>
  /** How the event that was made last is written down, with the grant that it leaves behind. */
  describe(
    request: Request,
    event: RequestEvent,
    next: Pick<Extract<Step, { kind: 'change' }>, 'progress' | 'to'>,
  ): { type: EntryType; members: JsonObject; grant?: Grant }
}

/** Throws where the answer is not well formed. */
export function prepareDecision(hall: GatewayContext, input: DecisionInput, actor: Actor): PreparedDecision {
  checkDecisionShape(input)
  // A session that a person started adds that person to those who may. It is read only where that can matter.
  let session: Session | undefined
  let isRead = false
  const may: MayApprove = (subject, condition) => mayApprove(subject, condition, hall.directory(), session)
  const readSession = async (request: Request) => {
    if (isRead || !needsSession(request, input, actor, may)) return
    session = await hall.store.sessions.get(request.session)
    isRead = true
  }
  let grant: Grant | undefined
  return {
    input,
    async admit(request) {
      if (actor.role === 'agent') throw await refuseAgent(hall, request, actor, 'decide')
      await readSession(request)
      if (!mayDecideAny(actor.subject, currentTerms(request).conditions, may)) {
        throw await refuseAttempt(hall, request, actor, 'not_yours', notYoursText(request))
      }
    },
    async event(request) {
      await readSession(request)
      const mode = input.decision === 'edit' ? session?.mode : undefined
      const event = withClaimTime(hall, request, await eventFor(hall, request, input, actor, may, mode))
      grant = await leaveGrant(hall, request, event)
      return event
    },
    describe: (request, event, next) => ({
      type: event.kind === 'vote' ? 'request.voted' : 'request.decided',
      members: {
        ...describe(request, input, actor, next.progress, next.to),
        ...(grant === undefined ? {} : { grant: describeGrant(grant) }),
      },
      ...defined({ grant }),
    }),
  }
}

/** Others' votes count too, and an edit is judged anew in the session's mode: then it must be known whose session it is. */
function needsSession(request: Request, input: DecisionInput, actor: Actor, may: MayApprove): boolean {
  const { conditions } = currentTerms(request)
  return (
    input.decision === 'edit' ||
    conditions.length > 1 ||
    conditions.some((condition) => condition.quorum > 1) ||
    !mayDecideAny(actor.subject, conditions, may)
  )
}

async function eventFor(
  hall: GatewayContext,
  request: Request,
  input: DecisionInput,
  actor: Actor,
  may: MayApprove,
  mode?: string,
): Promise<RequestEvent> {
  const decision = decisionOf(hall, request, input, actor)
  // What is no longer pending is answered by the state machine: a repetition, or who decided before.
  if (request.state !== 'pending') return { kind: 'decide', decision }
  checkAllowed(request, input, may, actor)
  if (input.digest !== shownDigest(request)) throw digestMismatch(request, input.digest)
  if (input.decision === 'approve') {
    checkUncovered(hall, request, actor)
    return approval(request, decision, currentTerms(request), may)
  }
  if (input.decision === 'edit') return edit(hall, request, input, decision, actor, may, mode)
  return { kind: 'decide', decision }
}

/** The strictest of the rules that asked, of the edit too; else what is set for all. */
function withClaimTime(hall: GatewayContext, request: Request, event: RequestEvent): RequestEvent {
  if (event.kind !== 'decide' || event.approved === undefined) return event
  const { claimWithinMs = hall.settings.claimWithinMs } = event.edit?.terms ?? currentTerms(request)
  return { ...event, claimWithinMs: Math.min(claimWithinMs, MAX_CLAIM_WITHIN_MS) }
}

function approval(
  request: Request,
  decision: Decision,
  terms: AskTerms,
  may: MayApprove,
  edited?: NonNullable<Progress['edit']>,
): RequestEvent {
  const digest = edited?.digest ?? shownDigest(request)
  const { by, at, via, reason, scope, grant } = decision
  const vote: Vote = {
    by,
    at,
    via,
    digest,
    ...defined({ reason, scope, grant }),
  }
  const earlier = edited === undefined ? (request.progress.votes ?? []) : []
  const votes = [...earlier.filter((one) => one.by !== by || one.digest !== digest), vote]
  if (!reachesQuorum(votes, digest, terms.conditions, may)) {
    return { kind: 'vote', vote, ...defined({ edit: edited }) }
  }
  const bytes = edited?.bytes ?? request.progress.edit?.bytes
  return {
    kind: 'decide',
    decision,
    votes,
    approved: { digest, ...defined({ bytes }) },
    ...defined({ edit: edited }),
  }
}

async function edit(
  hall: GatewayContext,
  request: Request,
  input: DecisionInput,
  decision: Decision,
  actor: Actor,
  may: MayApprove,
  mode: string | undefined,
): Promise<RequestEvent> {
  const edited = readEditedCall(hall, request, input.arguments!)
  checkUncovered(hall, request, actor, edited.content)
  if (edited.digest === shownDigest(request)) return approval(request, decision, currentTerms(request), may)
  const { facts, verdict } = await judgeEdit(hall, request, edited, mode)
  if (verdict.kind === 'deny') {
    throw new BanksmanError('edit_denied', `the policy denies the edited call: ${verdict.because}`, {
      rule: verdict.rule,
    })
  }
  const terms = termsOfEdit(request, verdict, actor.subject, may)
  const change = {
    digest: edited.digest,
    bytes: edited.bytes,
    by: actor.subject,
    terms,
    ...(facts === undefined ? {} : { factsDigest: factsDigest(facts) }),
  }
  return approval(request, decision, terms, may, change)
}

function decisionOf(hall: GatewayContext, request: Request, input: DecisionInput, actor: Actor): Decision {
  const { reason, text, scope, grant } = input
  return {
    kind: input.decision,
    by: actor.subject,
    at: hall.store.now(),
    via: actor.via,
    digest: input.digest,
    ...defined({ reason, text, scope }),
    ...(grant === undefined ? {} : { grant: { ...grant } }),
    ...(input.decision === 'answer' && request.questions !== undefined
      ? { answers: checkAnswers(request.questions, input.answers) }
      : {}),
  }
}

/** Commitments in place of digests: the journal outlives the arguments (P10). */
function describe(
  request: Request,
  input: DecisionInput,
  actor: Actor,
  progress: Progress,
  to: Request['state'],
): JsonObject {
  const commit = (digest: string) => commitmentOf(request.commitmentKey, digest)
  return {
    by: actor.subject,
    via: actor.via,
    ...defined({ account: actor.account }),
    decision: input.decision,
    // What was opened is committed to in the request's first entry; anything else needs a commitment of its own.
    ...(input.digest === request.digest ? {} : { shown: commit(input.digest) }),
    state: to,
    ...defined({ reason: input.reason, scope: input.scope }),
    ...(input.grant === undefined ? {} : { wanted: { ...input.grant } }),
    ...(progress.edit === undefined || progress.edit === request.progress.edit
      ? {}
      : { edited: commit(progress.edit.digest) }),
    ...(progress.votes === undefined ? {} : { votes: progress.votes.map((vote) => vote.by) }),
  }
}
