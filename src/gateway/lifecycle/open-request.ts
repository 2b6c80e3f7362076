/** Opens a request: it is committed before anyone sees it (P1). */

import type { PreparedCall } from '../../core/call.ts'
import { type DecisionKind, QUESTION_DECISIONS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { checkQuestions } from '../../core/question.ts'
import type { RequestDraft } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import type { AskTerms, Facts, Verdict } from '../../core/verdict.ts'
import type { Can } from '../../guard/contract.ts'
import { notASchema } from '../judging/arguments-schema.ts'
import { QUESTION_TOOL } from '../judging/judge-call.ts'
import { factsDigest } from '../judging/judged-call.ts'
import { findReach } from '../live/reach.ts'
import { callTexts, type JudgingInput, newCommitmentKey, sessionDraftOf } from '../record/call-entry.ts'
import { callConflict, openRefusal } from '../requests/call-refusals.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { findSameCall, type JoinInput, noteJoinable, takeJoinLease } from './join-request.ts'
import type { Review } from './review.ts'

/** Tools whose schemas were complained of. */
const MAX_WARNED = 1000

export interface RequestToOpen extends JudgingInput {
  verdict: Extract<Verdict, { kind: 'ask' }>
  session: Session | undefined
  facts: Facts | undefined
  /** What whoever runs it can carry back. */
  can?: Can | undefined
  /** Later calls with the same token may join it. */
  join?: JoinInput | undefined
}

export async function openRequest(hall: GatewayContext, asking: RequestToOpen): Promise<Review> {
  const { call, actor, verdict, policyVersion, session, predecessor, can, join } = asking
  const question = call.tool === QUESTION_TOOL
  const questions = question ? checkQuestions(call.arguments.questions) : undefined
  const terms: AskTerms = question
    ? { ...verdict.terms, allowedDecisions: [...QUESTION_DECISIONS], scopes: ['once'] }
    : { ...verdict.terms, allowedDecisions: carried(verdict.terms.allowedDecisions, can) }
  if (terms.allowedDecisions.length === 0) {
    throw new BanksmanError(
      'decision_not_allowed',
      'the rules take only decisions that whoever runs the call can not carry, so nobody could answer',
    )
  }
  const owner = session ?? { ...sessionDraftOf(asking), ownerRole: actor.role, createdAt: hall.store.now() }
  const reach = await findReach(hall, { origin: call.origin, terms, session: owner })

  const sameCall = join && (await findSameCall(hall, call, join))
  const id = hall.newId('req')
  const commitmentKey = newCommitmentKey(hall)
  const request: RequestDraft = {
    id,
    kind: question ? 'question' : 'approval',
    session: call.session,
    callId: call.callId,
    ...defined({ agent: call.agent, origin: call.origin }),
    submittedBy: actor.subject,
    ...(actor.remote === true ? { remote: true } : {}),
    tool: call.tool,
    digest: call.digest,
    bytes: call.bytes,
    commitmentKey,
    ...defined({ context: call.context, preview: call.preview }),
    because: verdict.because,
    terms,
    reach: reach.kind === 'live' ? 'live' : 'durable',
    ...defined({ questions }),
    ...(asking.facts === undefined ? {} : { factsDigest: factsDigest(asking.facts) }),
    policyVersion,
    expiresInMs: terms.expiresInMs ?? ownDeadline(hall, call) ?? hall.settings.expiresInMs,
    ...defined({ predecessor }),
    ...(can?.reason === false ? { carriesNoReason: true } : {}),
    ...defined({ joinable: join?.token, sameCall }),
  }
  const state = reach.kind === 'nobody' ? 'unreachable' : 'pending'
  const quoted = JSON.stringify
  const members: Record<string, string> = {
    ...callTexts(hall, call, { by: actor.subject, because: verdict.because, commitmentKey }),
    kind: quoted(request.kind),
    state: quoted(state),
    rules: quoted(terms.conditions.map((condition) => condition.rule)),
    policy: quoted(policyVersion),
    expiresInMs: String(request.expiresInMs),
  }
  if (reach.kind === 'nobody') members.unreachable = quoted(reach.why)
  if (predecessor !== undefined) members.follows = quoted(predecessor.id)
  const entry = hall.chain.draftTexts('request.opened', hall.store.now(), members, {
    request: id,
    version: 1,
  })
  // Before anyone can find it: of two identical calls at once, neither joins the other.
  if (join !== undefined) await takeJoinLease(hall, id, join.waiter)
  warnOfSchema(hall, call)
  const mark = hall.recent.mark(id)
  const result = await hall.store.open({
    request,
    state,
    session: sessionDraftOf(asking),
    deliveries: reach.kind === 'nobody' ? [] : reach.deliveries,
    maxPending: hall.settings.maxPendingPerSession,
    ...defined({ succeeds: predecessor?.id }),
    entry,
  })
  const about = { arguments: call.arguments, callId: call.callId, digest: call.digest }
  switch (result.kind) {
    case 'opened':
      hall.observe({ kind: 'verdict', verdict: 'ask' })
      hall.observe({ kind: 'opened', state })
      if (join !== undefined) await noteJoinable(hall, call, id, join.token)
      hall.recent.keep(result.request, mark)
      if (result.request.deadline !== null) hall.kickDeadlines(result.request.deadline)
      if (reach.kind !== 'nobody' && reach.deliveries.length > 0) hall.kickDeliveries()
      return { ...about, verdict: { ...verdict, terms }, request: result.request, repeated: false }
    case 'existing':
      return { ...about, verdict: { ...verdict, terms }, request: result.request, repeated: true }
    case 'known':
      return { ...about, verdict: { kind: result.verdict, because: result.because }, repeated: true }
    case 'conflict':
      throw callConflict(call, result.digest)
    case 'refused':
      throw openRefusal(hall, result.code, call)
  }
}

/** Once for each tool: whoever registered it can mend it. */
function warnOfSchema(hall: GatewayContext, { tool, definition, arguments: args }: PreparedCall): void {
  if (hall.warnedOf.has(tool)) return
  const because = notASchema(definition?.schema, args)
  if (because === undefined) return
  if (hall.warnedOf.size < MAX_WARNED) hall.warnedOf.add(tool)
  hall.report({
    doing: `reading the schema of ${JSON.stringify(tool)}`,
    error: new BanksmanError(
      'invalid_call',
      `it is no JSON Schema (${because}); it counts for the digest, and people's edits are not held to it`,
    ),
  })
}

/** People are not offered what nobody could carry out. */
function carried(decisions: readonly DecisionKind[], can: Can = {}): DecisionKind[] {
  const offered: Partial<Record<DecisionKind, boolean | undefined>> = {
    edit: can.edit,
    respond: can.respond,
    terminate: can.terminate,
  }
  return decisions.filter((decision) => offered[decision] !== false)
}

/** A conversation in a channel whose people expect an answer at once has a deadline of its own. */
function ownDeadline(hall: GatewayContext, { origin }: PreparedCall): number | undefined {
  return hall.channels.find(({ name }) => name === origin?.channel)?.deadlineMs
}
