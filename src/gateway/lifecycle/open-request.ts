/** Opens a request: it is committed before anyone sees it (P1). */

import type { PreparedCall } from '../../core/call.ts'
import { type DecisionKind, QUESTION_DECISIONS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { checkQuestions, QUESTION_TOOL } from '../../core/question.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import type { RequestDraft } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import type { AskTerms, Facts, Verdict } from '../../core/verdict.ts'
import type { Can } from '../../guard/contract.ts'
import type { Channel } from '../../people/channel.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewaySettings } from '../gateway-parts.ts'
import type { Host } from '../host.ts'
import { notASchema } from '../judging/arguments-schema.ts'
import { factsDigest } from '../judging/judged-call.ts'
import type { Reachability } from '../live/reach.ts'
import {
  type CallEntryPorts,
  callTexts,
  type JudgingInput,
  newCommitmentKey,
  sessionDraftOf,
} from '../record/call-entry.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { callConflict, sessionRefusal, tooManyPending } from '../requests/call-refusals.ts'
import type { RequestChanges } from '../requests/change-request.ts'
import { createAdmission } from './admission.ts'
import type { JoinInput, Joins } from './join-request.ts'
import type { Review } from './review-result.ts'

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
  /** How long a person has to answer, where no rule says. */
  expiresInMs?: number | undefined
}

export interface OpenRequestPorts extends CallEntryPorts {
  store: Pick<Store, 'open' | 'now' | 'list'>
  journal: JournalWriter
  changes: Pick<RequestChanges, 'recent' | 'opened'>
  reachability: Reachability
  joins: Joins
  channels: readonly Channel[]
  host: Pick<Host, 'clock' | 'newId' | 'observe' | 'random' | 'report'>
  settings: Pick<GatewaySettings, 'expiresInMs' | 'maxPendingPerSession' | 'limits'>
}

export type OpenRequest = (asking: RequestToOpen) => Promise<Review>

export function createOpenRequest(ports: OpenRequestPorts): OpenRequest {
  const { store, journal, changes, reachability, joins, channels, host, settings } = ports
  const admission = createAdmission(store, host, settings.limits)
  /** Tools whose schema is no JSON Schema, and of which that was reported. */
  const warnedOf = new Set<string>()

  /** Once for each tool: whoever registered it can mend it. */
  function warnOfSchema({ tool, definition, arguments: args }: PreparedCall): void {
    if (warnedOf.has(tool)) return
    const because = notASchema(definition?.schema, args)
    if (because === undefined) return
    if (warnedOf.size < MAX_WARNED) warnedOf.add(tool)
    const message = `it is no JSON Schema (${because}); it counts for the digest, and people's edits are not held to it`
    host.report({
      doing: `reading the schema of ${JSON.stringify(tool)}`,
      error: new BanksmanError('invalid_call', message),
    })
  }

  /** A conversation in a channel whose people expect an answer at once has a deadline of its own. */
  function expiryOf(terms: AskTerms, { call: { origin }, expiresInMs }: RequestToOpen): number {
    const channel = channels.find(({ name }) => name === origin?.channel)
    return terms.expiresInMs ?? expiresInMs ?? channel?.deadlineMs ?? settings.expiresInMs
  }

  const open: OpenRequest = async (asking) => {
    const { call, actor, verdict, policyVersion, session, predecessor, join } = asking
    const terms = termsOf(asking)
    const draft = draftOf(asking, terms)
    const owner = session ?? { ...sessionDraftOf(asking), ownerRole: actor.role, createdAt: store.now() }
    const reach = await reachability.find({ origin: call.origin, terms, session: owner })

    const sameCall = join && (await joins.findSame(call, join))
    const id = host.newId('req')
    const commitmentKey = newCommitmentKey(ports)
    const request: RequestDraft = {
      ...draft,
      id,
      commitmentKey,
      reach: reach.kind === 'live' ? 'live' : 'durable',
      expiresInMs: expiryOf(terms, asking),
      ...defined({ sameCall }),
    }
    const state = reach.kind === 'nobody' ? 'unreachable' : 'pending'
    const quoted = JSON.stringify
    const members: Record<string, string> = {
      ...callTexts(ports, call, { ...toldOf(verdict), by: actor.subject, commitmentKey }),
      kind: quoted(request.kind),
      state: quoted(state),
      rules: quoted(terms.conditions.map((condition) => condition.rule)),
      policy: quoted(policyVersion),
      expiresInMs: String(request.expiresInMs),
    }
    if (reach.kind === 'nobody') members.unreachable = quoted(reach.why)
    if (predecessor !== undefined) members.follows = quoted(predecessor.id)
    const entry = journal.draftTexts('request.opened', store.now(), members, { request: id, version: 1 })
    // Before anyone can find it: of two identical calls at once, neither joins the other.
    if (join !== undefined) {
      await joins.take(id, join.waiter)
      await joins.note(call, id, join.token)
    }
    warnOfSchema(call)
    const mark = changes.recent.mark(id)
    const deliveries = reach.kind === 'nobody' ? [] : reach.deliveries
    const result = await store.open({
      request,
      state,
      session: sessionDraftOf(asking),
      deliveries,
      maxPending: settings.maxPendingPerSession,
      ...defined({ succeeds: predecessor?.id }),
      entry,
    })
    if (join !== undefined && result.kind !== 'opened') await joins.forget(call, id, join.token)
    const about = { arguments: call.arguments, callId: call.callId, digest: call.digest }
    switch (result.kind) {
      case 'opened':
        host.observe({ kind: 'verdict', verdict: 'ask' })
        host.observe({ kind: 'opened', state })
        changes.opened(result.request, mark, deliveries.length > 0)
        return { ...about, verdict: { ...verdict, terms }, request: result.request, repeated: false }
      case 'existing':
        return { ...about, verdict: { ...verdict, terms }, request: result.request, repeated: true }
      case 'known':
        return { ...about, verdict: { kind: result.verdict, because: result.because }, repeated: true }
      case 'conflict':
        throw callConflict(call, result.digest)
      case 'refused':
        throw result.code === 'too_many_pending'
          ? tooManyPending(call.session, settings.maxPendingPerSession)
          : sessionRefusal(result.code, call.session)
    }
  }
  return (asking) => {
    const { actor, call } = asking
    return admission.admit({ actor, session: call.session, bytes: call.bytes }, () => open(asking))
  }
}

/** What people are offered: nothing that whoever runs the call can't carry out. */
function termsOf({ call, verdict, can }: RequestToOpen): AskTerms {
  if (call.tool === QUESTION_TOOL)
    return { ...verdict.terms, allowedDecisions: [...QUESTION_DECISIONS], scopes: ['once'] }
  const allowedDecisions = carried(verdict.terms.allowedDecisions, can)
  if (allowedDecisions.length > 0) return { ...verdict.terms, allowedDecisions }
  throw new BanksmanError(
    'decision_not_allowed',
    'the rules take only decisions that whoever runs the call can not carry, so nobody could answer',
  )
}

/** All that the call itself says of the request. */
function draftOf(
  { call, actor, verdict, facts, policyVersion, predecessor, can, join }: RequestToOpen,
  terms: AskTerms,
): Omit<RequestDraft, 'id' | 'commitmentKey' | 'reach' | 'expiresInMs'> {
  const isQuestion = call.tool === QUESTION_TOOL
  const questions = isQuestion ? checkQuestions(call.arguments.questions) : undefined
  const { session, callId, tool, digest, bytes, agent, origin, context, preview } = call
  return {
    kind: isQuestion ? 'question' : 'approval',
    session,
    callId,
    submittedBy: actor.subject,
    ...(actor.remote === true ? { remote: true } : {}),
    tool,
    digest,
    bytes,
    because: verdict.because,
    ...defined({ reason: verdict.reason }),
    terms,
    policyVersion,
    ...(facts === undefined ? {} : { factsDigest: factsDigest(facts) }),
    ...(can?.reason === false ? { carriesNoReason: true } : {}),
    ...defined({ agent, origin, context, preview, questions, predecessor, joinable: join?.token }),
  }
}

function carried(decisions: readonly DecisionKind[], can: Can = {}): DecisionKind[] {
  const offered: Partial<Record<DecisionKind, boolean | undefined>> = {
    edit: can.edit,
    respond: can.respond,
    terminate: can.terminate,
  }
  return decisions.filter((decision) => offered[decision] !== false)
}
