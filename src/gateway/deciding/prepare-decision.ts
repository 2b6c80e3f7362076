/**
 * One person's answer to one request: whether they may give it, and what it comes to for the request as it is. There is
 * one way to decide, whether one request is decided or several at once.
 */

import type { Decision, DecisionInput, Vote } from '../../core/decision.ts'
import { checkAnswers } from '../../core/decisions/check-answers.ts'
import { type MayApprove, mayDecideAny, reachesQuorum } from '../../core/decisions/votes.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import type { JsonObject } from '../../core/json/json.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { currentTerms, type Progress, type Request, shownDigest } from '../../core/request.ts'
import type { Actor, Session } from '../../core/session.ts'
import { MAX_CLAIM_WITHIN_MS, type RequestEvent } from '../../core/transitions.ts'
import type { AskTerms } from '../../core/verdict.ts'
import type { GatewaySettings } from '../gateway-parts.ts'
import { describeGrant, type LeaveGrantPorts, leaveGrant } from '../grants/leave-grant.ts'
import { judgeEdit, readEditedCall, termsOfEdit } from '../judging/judge-edit.ts'
import { factsDigest } from '../judging/judged-call.ts'
import type { Authority } from '../requests/authority.ts'
import type { ChangeStep, PlannedChange } from '../requests/change-request.ts'
import type { Uncovering } from '../requests/uncover.ts'
import { checkAllowed, checkDecisionShape, digestMismatch, notYoursReason } from './check-decision.ts'

/** Throws where the answer is not well formed. */
export type PrepareDecision = (input: DecisionInput, actor: Actor) => PreparedDecision

/** It keeps nothing of the requests it has seen. */
export interface PreparedDecision {
  /** Throws where this actor may not decide the request at all; that they tried is on the record (P6, P11). */
  admit(request: Request): Promise<AdmittedDecision>
}

export interface AdmittedDecision {
  /** What happens to the request as it is now, and the grant that it leaves. Throws where it takes no such answer. */
  plan(request: Request): Promise<PlannedChange>
}

export interface DecisionPorts extends LeaveGrantPorts {
  authority: Authority
  uncovering: Pick<Uncovering, 'check'>
  settings: Pick<GatewaySettings, 'claimWithinMs'>
}

/** An answer to the request as it is now. */
interface Answering {
  request: Request
  input: DecisionInput
  actor: Actor
  may: MayApprove
  /** The session's. An edit is judged in it. */
  mode: string | undefined
  decision: Decision
}

export function createPrepareDecision(ports: DecisionPorts): PrepareDecision {
  const { authority, store } = ports

  return (input, actor) => {
    checkDecisionShape(input)

    /** A session that a person started adds that person to those who may. It is read only where that can matter. */
    async function readSession(request: Request): Promise<{ session: Session | undefined } | undefined> {
      if (!needsSession(request, input, actor, authority.may(undefined))) return undefined
      return { session: await store.sessions.get(request.session) }
    }

    async function plan(request: Request, session: Session | undefined): Promise<PlannedChange> {
      const may = authority.may(session)
      const decision = decisionOf(request, input, actor, store.now())
      const mode = ports.judge.modes.inForce(session)
      const answering = { request, input, actor, may, mode, decision }
      const event = withClaimTime(ports, request, await eventFor(ports, answering))
      const grant = await leaveGrant(ports, request, event)
      return {
        event,
        describe: (next) => ({
          type: event.kind === 'vote' ? 'request.voted' : 'request.decided',
          members: {
            ...describe(request, input, actor, next),
            ...(grant === undefined ? {} : { grant: describeGrant(grant) }),
          },
          ...defined({ grant }),
        }),
      }
    }

    return {
      async admit(request) {
        if (actor.role === 'agent') throw await authority.refuseAgent(request, actor, 'decide')
        const read = await readSession(request)
        const may = authority.may(read?.session)
        if (!mayDecideAny(actor.subject, currentTerms(request).conditions, may)) {
          throw await authority.refuse(request, actor, 'not_yours', notYoursReason(request))
        }
        return {
          // It may have come to matter since: others have voted or edited.
          plan: async (now) => plan(now, (read ?? (await readSession(now)))?.session),
        }
      },
    }
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

async function eventFor(ports: DecisionPorts, answering: Answering): Promise<RequestEvent> {
  const { request, input, actor, may, decision } = answering
  // What is no longer pending is answered by the state machine: a repetition, or who decided before.
  if (request.state !== 'pending') return { kind: 'decide', decision }
  checkAllowed(request, input, may, actor)
  if (input.digest !== shownDigest(request)) throw digestMismatch(request, input.digest)
  if (input.decision === 'approve') {
    ports.uncovering.check(request, actor)
    return approval(answering, currentTerms(request))
  }
  if (input.decision === 'edit') return edit(ports, answering)
  return { kind: 'decide', decision }
}

/** The strictest of the rules that asked, of the edit too; else what is set for all. */
function withClaimTime(
  { settings }: Pick<DecisionPorts, 'settings'>,
  request: Request,
  event: RequestEvent,
): RequestEvent {
  if (event.kind !== 'decide' || event.approved === undefined) return event
  const { claimWithinMs = settings.claimWithinMs } = event.edit?.terms ?? currentTerms(request)
  return { ...event, claimWithinMs: Math.min(claimWithinMs, MAX_CLAIM_WITHIN_MS) }
}

function approval(
  { request, decision, may }: Answering,
  terms: AskTerms,
  edited?: NonNullable<Progress['edit']>,
): RequestEvent {
  const digest = edited?.digest ?? shownDigest(request)
  const { by, at, via, reason, scope, grant } = decision
  const vote: Vote = { by, at, via, digest, ...defined({ reason, scope, grant }) }
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

async function edit(ports: DecisionPorts, answering: Answering): Promise<RequestEvent> {
  const { request, input, actor, may, mode } = answering
  const edited = readEditedCall(ports.judge.policy(), request, input.arguments!)
  ports.uncovering.check(request, actor, edited.content)
  if (edited.digest === shownDigest(request)) return approval(answering, currentTerms(request))
  const { facts, verdict } = await judgeEdit(ports.judge, request, edited, mode)
  if (verdict.kind === 'deny') {
    const why = verdict.reason ?? reasonOf('written', { words: verdict.because })
    throw reasonedError('edit_denied', reasonOf('problem.edit-denied', { why }), { rule: verdict.rule })
  }
  const terms = termsOfEdit(request, verdict, actor.subject, may)
  const { digest, bytes } = edited
  return approval(answering, terms, {
    digest,
    bytes,
    by: actor.subject,
    terms,
    ...(facts === undefined ? {} : { factsDigest: factsDigest(facts) }),
  })
}

function decisionOf(request: Request, input: DecisionInput, actor: Actor, at: number): Decision {
  const { reason, text, scope, grant } = input
  return {
    kind: input.decision,
    by: actor.subject,
    at,
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
  { progress, to }: ChangeStep,
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
