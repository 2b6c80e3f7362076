/**
 * `claim`, `renew`, `report`, `release` and `settle`: from the approval to the outcome. A claim is given once, for exactly
 * the bytes that were approved (P3, P4).
 */

import { DEFAULT_APPROVERS, mayApprove } from '../../core/authority.ts'
import { type CallContent, contentOf } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import { commitmentOf } from '../../core/digest.ts'
import { BanksmanError, isBanksmanError } from '../../core/errors.ts'
import { canonicalize, type JsonObject } from '../../core/json/json.ts'
import type { CancelCause, Outcome, Request } from '../../core/request.ts'
import { currentTerms } from '../../core/request.ts'
import type { OutcomeKind } from '../../core/request-state.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { ApprovalCondition } from '../../core/verdict.ts'
import { type MayApprove, mayDecideAny, reachesQuorum } from '../../core/votes.ts'
import { checkedResult } from '../../guard/kept-result.ts'
import { factsDigest, judgedCallOf, sourceOf } from '../judging/judged-call.ts'
import {
  changeRequest,
  type GatewayContext,
  requestRefusal,
  unknownRequestId,
} from '../requests/change-request.ts'
import { refuseAgent, refuseAttempt } from '../requests/refuse-attempt.ts'
import type { ExpireOne } from './expire.ts'
import { checkCause, checkKey } from './runner-key.ts'

export interface ClaimResult {
  claimId: string
  /** A fresh copy of what was approved. */
  arguments: JsonObject
  leaseUntil: number
  request: Request
}

export interface ClaimVerbs {
  /** `key` is the runner's own: the same key gets the same claim again, another key gets none. */
  claim(id: string, input: { digest: string; key: string }, actor: Actor): Promise<ClaimResult>
  renew(
    id: string,
    claimId: string,
    actor: Actor,
  ): Promise<{ leaseUntil: number; stop: boolean; request: Request }>
  report(id: string, input: ReportInput, actor: Actor): Promise<Request>
  /**
   * Gives a claim back without an outcome: the request is approved again. By a key that has not claimed, it bars the key.
   * `lease_lapsed` after the lease, `not_running` where another holds it or after ten times.
   */
  release(
    id: string,
    input: { cause: string } & ({ claimId: string } | { key: string }),
    actor: Actor,
  ): Promise<Request>
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

export const MAX_SUMMARY = 4096

export function createClaimVerbs(hall: GatewayContext, expireOne: ExpireOne): ClaimVerbs {
  return {
    async claim(id, input, actor) {
      checkKey(input.key)
      const seen = await ownRequest(hall, id, actor)
      if (hall.stopped.has(id))
        throw new BanksmanError('cancelled', 'the request was stopped; it must not run')
      try {
        const { request: moved } = await changeRequest(
          hall,
          id,
          async (now) => {
            checkDigest(now, input.digest)
            if (now.state === 'approved') await recheckPolicy(hall, now)
            const claim = {
              id: hall.newId('clm'),
              key: input.key,
              by: actor.subject,
              at: hall.store.now(),
              leaseMs: hall.settings.leaseMs,
            }
            return { kind: 'claim', claim }
          },
          (now, _, next) => ({
            type: 'request.claimed',
            members: {
              by: actor.subject,
              claim: next.progress.claim!.id,
              ...(input.digest === now.digest
                ? {}
                : { approved: commitmentOf(now.commitmentKey, input.digest) }),
              state: next.to,
            },
          }),
          seen,
        )
        const approved = moved.progress.approved!
        return {
          claimId: moved.progress.claim!.id,
          arguments: contentOf(approved.bytes ?? moved.bytes).arguments,
          leaseUntil: moved.deadline!,
          request: moved,
        }
      } catch (error) {
        if (isBanksmanError(error, 'not_approved')) await expireOne(id)
        throw error
      }
    },

    async renew(id, claimId, actor) {
      const seen = await ownRequest(hall, id, actor)
      try {
        const { request } = await changeRequest(
          hall,
          id,
          () => ({ kind: 'renew', claimId }),
          (_, __, next) => ({ type: 'request.renewed', members: { claim: claimId, state: next.to } }),
          seen,
        )
        return { leaseUntil: request.deadline!, stop: request.progress.stop !== undefined, request }
      } catch (error) {
        if (isBanksmanError(error, 'lease_lapsed')) await expireOne(id)
        throw error
      }
    },

    async report(id, input, actor) {
      checkOutcome(input.outcome)
      const result = checkedResult(input.result, input.outcome)
      const seen = await ownRequest(hall, id, actor)
      const { request } = await changeRequest(
        hall,
        id,
        (now) => ({ kind: 'report', claimId: input.claimId, outcome: outcomeOf(hall, now, input, actor) }),
        (now, __, next) => ({
          type: 'request.reported',
          members: describeOutcome(next.progress.outcome!, next.to),
          // A runner that fell silent may have been overtaken by what a person saw and settled.
          ...(result === undefined || !isLeased(now, hall.store.now()) ? {} : { result }),
        }),
        seen,
      )
      hall.observe({ kind: 'ended', state: request.state })
      return request
    },

    async release(id, input, actor) {
      const { cause } = input
      checkCause(cause)
      if ('key' in input) checkKey(input.key)
      const seen = await ownRequest(hall, id, actor)
      const by = actor.subject
      const which = 'key' in input ? { key: input.key } : { claim: input.claimId }
      try {
        const { request } = await changeRequest(
          hall,
          id,
          () => {
            const stop = hall.stopped.get(id)
            const release = { ...which, cause, by, at: hall.store.now() }
            return { kind: 'release', release, ...defined({ stop }) }
          },
          (now, _, next) => ({
            type: 'request.released',
            members: {
              by,
              reason: cause,
              ...defined({ claim: now.progress.claim?.id }),
              state: next.to,
            },
          }),
          seen,
        )
        return request
      } catch (error) {
        if (isBanksmanError(error, 'lease_lapsed')) await expireOne(id)
        throw error
      }
    },

    async settle(id, input, actor) {
      checkOutcome(input.outcome)
      const request = await hall.store.get(id)
      if (request === undefined) throw unknownRequestId(id)
      const session = await hall.store.sessions.get(request.session)
      if (actor.role === 'agent') throw await refuseAgent(hall, request, actor, 'settle')
      const allowed = mayDecideAny(actor.subject, currentTerms(request).conditions, (subject, condition) =>
        mayApprove(subject, condition, hall.directory(), session),
      )
      if (!allowed)
        throw await refuseAttempt(hall, request, actor, 'not_yours', 'you may not settle this request')
      const moved = await changeRequest(
        hall,
        id,
        (now) => ({ kind: 'settle', outcome: outcomeOf(hall, now, input, actor) }),
        (_, __, next) => ({
          type: 'request.settled',
          members: describeOutcome(next.progress.outcome!, next.to),
        }),
      )
      return moved.request
    },
  }
}

function isLeased({ state, deadline }: Request, now: number): boolean {
  return state === 'running' && deadline !== null && deadline > now
}

/** Whose request it is not does not learn that it exists (P6). */
async function ownRequest(hall: GatewayContext, id: string, actor: Actor): Promise<Request> {
  const request = hall.recent.get(id) ?? (await hall.store.get(id))
  if (request === undefined || request.submittedBy !== actor.subject) throw unknownRequestId(id)
  return request
}

function checkDigest(request: Request, digest: string): void {
  const approved = request.progress.approved?.digest
  if (approved === undefined || approved === digest) return
  throw new BanksmanError(
    'digest_mismatch',
    'the digest is not that of what was approved; run what was approved, or make a new call',
    { digest: approved, found: digest },
  )
}

/** The policy may have become stricter, and the world may have moved, since the person said yes. */
async function recheckPolicy(hall: GatewayContext, request: Request): Promise<void> {
  const content: CallContent = contentOf(request.progress.approved?.bytes ?? request.bytes)
  const call = judgedCallOf(request, content)
  const facts = hall.gatherFacts === undefined ? undefined : await hall.gatherFacts(call, sourceOf(request))
  const isEdited = request.progress.approved?.bytes !== undefined
  const judgedOn = isEdited ? request.progress.edit?.factsDigest : request.factsDigest
  if (facts !== undefined && judgedOn !== undefined && factsDigest(facts) !== judgedOn) {
    await withdrawApproval(hall, request.id, 'facts_changed', 'what the call was judged on has changed since')
  }
  const session = await hall.store.sessions.get(request.session)
  const mode = session?.mode
  const verdict = hall.policy().evaluate(call, facts, mode === undefined ? {} : { mode })
  if (verdict.kind === 'deny') await withdrawApproval(hall, request.id, 'denied_at_claim', verdict.because)
  if (verdict.kind === 'ask') await recountVotes(hall, request, verdict.terms.conditions, session)
}

/** Those whom the policy asks now must have approved, and must still be people who may (P6). */
async function recountVotes(
  hall: GatewayContext,
  { id, progress }: Request,
  conditions: readonly ApprovalCondition[],
  session: Session | undefined,
): Promise<void> {
  const { votes = [], approved } = progress
  const may: MayApprove = (subject, condition) => mayApprove(subject, condition, hall.directory(), session)
  const missing = conditions.find((one) => !reachesQuorum(votes, approved?.digest ?? '', [one], may))
  if (missing === undefined) return
  const { rule, quorum, approvers = DEFAULT_APPROVERS } = missing
  const who = `${quorum > 1 ? `${quorum} of ` : ''}${approvers.join(' or ')}`
  await withdrawApproval(hall, id, 'terms_changed', `${rule} now needs the approval of ${who}`)
}

async function withdrawApproval(
  hall: GatewayContext,
  id: string,
  cause: CancelCause,
  reason: string,
): Promise<never> {
  const { request } = await changeRequest(
    hall,
    id,
    (now) => {
      // Another claim was quicker: what runs is not called back by this one.
      if (now.state !== 'approved')
        throw requestRefusal('already_claimed', `the request is ${now.state}`, now)
      return { kind: 'cancel', cause, by: 'policy', reason }
    },
    (_, __, next) => ({
      type: 'request.cancelled',
      members: { by: 'policy', cause, reason, state: next.to },
    }),
  )
  throw new BanksmanError(
    cause === 'facts_changed' ? 'facts_changed' : 'cancelled',
    `it must not run: ${reason}`,
    {
      state: request.state,
      cause,
    },
  )
}

function checkOutcome(outcome: unknown): void {
  if (outcome !== 'ok' && outcome !== 'error') {
    throw new BanksmanError('invalid', `outcome must be ok or error; found ${JSON.stringify(outcome)}`)
  }
}

function outcomeOf(
  hall: GatewayContext,
  { commitmentKey }: Request,
  input: { outcome: OutcomeKind; summary?: string | undefined },
  actor: Actor,
): Outcome {
  const whole = input.summary?.toWellFormed()
  const summary = whole?.slice(0, MAX_SUMMARY).toWellFormed()
  // The key goes when the arguments are erased, and then there is nothing to compare by.
  const said = commitmentKey && commitmentOf(commitmentKey, canonicalize([input.outcome, whole ?? null]))
  return {
    kind: input.outcome,
    ...defined({ summary }),
    at: hall.store.now(),
    by: actor.subject,
    ...(said ? { said } : {}),
  }
}

function describeOutcome(outcome: Outcome, state: Request['state']): JsonObject {
  return { by: outcome.by, outcome: outcome.kind, state, ...(outcome.late === true ? { late: true } : {}) }
}
