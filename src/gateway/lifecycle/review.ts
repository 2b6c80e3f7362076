/**
 * `review`: a tool call comes in, and the policy's word goes out. Where people must be asked, the request is
 * committed before anyone sees it (P1).
 */

import { type PreparedCall, prepareCall, type ToolCall } from '../../core/call.ts'
import type { CallHold } from '../../core/call-hold.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import type { AllowVerdict, DenyVerdict, Verdict } from '../../core/verdict.ts'
import type { Can } from '../../guard/contract.ts'
import type { KnownCall, RecordResult } from '../../stores/store.ts'
import { useGrants } from '../grants/use-grants.ts'
import { checkSession, judgeCall, modeOf, QUESTION_TOOL } from '../judging/judge-call.ts'
import { type JudgingInput, sessionDraftOf, toCallRecord, toJudgedRecord } from '../record/call-entry.ts'
import type { JudgedRecord, Recorder } from '../record/recorder.ts'
import { callConflict, openRefusal } from '../requests/call-refusals.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { noteSteeringWrites, withParentSession } from '../sessions/session-steering.ts'
import { findJoinable, type JoinInput } from './join-request.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { openRequest } from './open-request.ts'
import { predecessorOf } from './successors.ts'

export interface Review {
  verdict: Verdict
  /** Where people are asked. */
  request?: Request
  /** The call was known before: it is the same call again, not a new one. */
  repeated: boolean
  /** A copy of the arguments that nobody else holds. */
  arguments: JsonObject
  /** As the call is kept: not the caller's, where it joined an earlier one. */
  callId: string
  digest: string
  /** Of a call that nobody is asked about: what the store made of it, once it is written. */
  record?: Pick<JudgedRecord, 'result'>
  /** Of one that was known before and that nobody was asked about: who has it. */
  hold?: CallHold
}

export interface ReviewOptions {
  /**
   * What the caller does with a call that is allowed. `run`: it runs it at once, and the same call is never let through again.
   * `take`: it takes it under a key. Absent: nothing yet; a `hold` or `guard` of the same call goes on from here.
   */
  allowed?: { kind: 'run' } | { kind: 'take'; key: string } | undefined
  /** Asks anew where the request of the call ended without anybody's no. */
  asksAgain?: boolean | undefined
  can?: Can | undefined
  /** Of a caller whose calls may join earlier ones. */
  join?: JoinInput | undefined
}

export type ReviewVerb = (call: ToolCall<object>, actor: Actor, options?: ReviewOptions) => Promise<Review>

/**
 * A hook has the word on a call, and people are not asked: it says no, or gives the result in the tool's place. The policy's
 * no still holds, and it is all on the record, with the hook's name (P10).
 */
export type InterceptVerb = (
  call: ToolCall,
  interception: Interception,
  actor: Actor,
) => Promise<AllowVerdict | DenyVerdict>

export interface Interception {
  kind: 'deny' | 'respond'
  /** Whose word it is, as in `hook "cache"`. */
  by: string
  because?: string
}

export function createReview(
  hall: GatewayContext,
  recorder: Recorder,
): { review: ReviewVerb; intercept: InterceptVerb } {
  const turns = createKeyedQueue()

  async function review(given: PreparedCall, actor: Actor, options: ReviewOptions): Promise<Review> {
    const facts =
      hall.gatherFacts === undefined
        ? undefined
        : await hall.gatherFacts(given, { remote: actor.remote === true })
    // First what is on its way to the store, then what is there: in this order nothing falls between.
    const underway = recorder.pending(given.session, given.callId, actor.subject)
    const found = await hall.store.lookup(given.session, given.callId, given.tool)
    const call = withParentSession(hall, found.session, given)
    checkSession(hall, found.session, actor, call)
    const known = found.known ?? underway
    const alias = known?.hold?.joined
    if (known !== undefined && alias !== undefined) {
      if (known.digest !== call.digest) throw callConflict(call, known.digest)
      return review({ ...given, callId: alias }, actor, options)
    }
    const before = known === undefined ? undefined : await repeat(hall, call, known)
    const predecessor = options.asksAgain === true ? predecessorOf(before?.request) : undefined
    if (before !== undefined && predecessor === undefined) return before

    const judgement = await judgeCall(hall, { call, actor, session: found.session, facts })
    const { policy, verdict, member, steering } = judgement
    const hold = holdOf(hall, verdict, options, actor)
    const judging: JudgingInput = {
      call,
      actor,
      policyVersion: policy.version,
      ...defined({ hold, predecessor }),
    }
    const reviewed = { repeated: false, arguments: call.arguments, callId: call.callId, digest: call.digest }
    const letThrough = () => noteSteeringWrites(hall, member, steering.writes)
    if (verdict.kind !== 'ask') {
      // Before anybody hears of it: whoever is judged afterwards must know what this call may write.
      if (verdict.kind === 'allow') await letThrough()
      const record = toJudgedRecord(hall, judging, verdict)
      if (predecessor !== undefined) {
        const result = await recordAfter(record, predecessor.id)
        if (result.kind === 'existing') return repeat(hall, call, result)
        if (result.kind === 'refused') throw openRefusal(hall, sessionCode(result.code), call)
        record.result = result
      } else recorder.record(record)
      hall.observe({ kind: 'verdict', verdict: verdict.kind })
      return { ...reviewed, verdict, record }
    }
    const asking = { ...judging, verdict, session: found.session, facts, ...options }
    // A question is a person's to answer, whatever was allowed before.
    const isGranted = found.granted && call.tool !== QUESTION_TOOL
    const use = isGranted
      ? await useGrants(hall, { ...asking, policy, context: judgement.context, letThrough })
      : { kind: 'none' as const }
    switch (use.kind) {
      case 'none': {
        const joined = options.join && (await findJoinable(hall, call, options.join))
        if (joined === undefined) return openRequest(hall, asking)
        await recordJoined(judging, joined)
        return review(given, actor, options)
      }
      case 'used':
        hall.observe({ kind: 'verdict', verdict: 'granted' })
        return { ...reviewed, verdict: use.verdict, record: { result: { kind: 'recorded' } } }
      case 'existing':
        return repeat(hall, call, use)
      case 'refused':
        throw openRefusal(hall, use.code, call)
    }
  }

  /** In the place of a request that ended: not in a batch, so that of several processes one wins. */
  function recordAfter(record: JudgedRecord, succeeds: string): Promise<RecordResult> {
    const entry = hall.chain.draftTexts('calls.judged', hall.store.now(), { calls: `[${record.text}]` })
    return hall.store.record({ call: record.call, session: record.session, entry, succeeds })
  }

  /** From now on the call is another name of the one whose request it joined. */
  async function recordJoined(judging: JudgingInput, { id, callId }: Request): Promise<void> {
    const { call, actor } = judging
    const hold: CallHold = {
      version: 1,
      state: 'done',
      by: actor.subject,
      at: hall.store.now(),
      joined: callId,
    }
    const because = `it is the same call as that of ${id}, and waits for the same decision`
    const verdict: AllowVerdict = { kind: 'allow', because, rule: 'joined' }
    const record = toCallRecord(hall, { ...judging, hold }, verdict)
    const members = { session: call.session, callId: call.callId, request: id, by: actor.subject }
    const entry = hall.entry('call.joined', members)
    const result = await hall.store.record({ call: record, session: sessionDraftOf(judging), entry })
    if (result.kind === 'refused') throw openRefusal(hall, sessionCode(result.code), call)
  }

  async function intercept(
    call: PreparedCall,
    interception: Interception,
    actor: Actor,
  ): Promise<AllowVerdict | DenyVerdict> {
    const facts = await hall.gatherFacts?.(call, { remote: actor.remote === true })
    const underway = recorder.pending(call.session, call.callId, actor.subject)
    const found = await hall.store.lookup(call.session, call.callId, call.tool)
    checkSession(hall, found.session, actor, call)
    const known = found.known ?? underway
    if (known !== undefined) {
      if (known.digest !== call.digest) throw callConflict(call, known.digest)
      // The first word on a call is the last: one that people were asked about, or that may have run, is not settled by a hook.
      const word = worded(interception)
      if (known.verdict === 'deny' || (known.verdict === word.kind && known.because === word.because))
        return { kind: known.verdict, because: known.because }
      const because =
        known.verdict === 'ask'
          ? known.because
          : 'a call with this id was let through before and may have run'
      return { kind: 'deny', because }
    }
    const policy = hall.policy()
    const mode = await modeOf(hall, found.session, call, actor)
    const verdict = policy.evaluate(call, facts, mode === undefined ? {} : { mode })
    const word = verdict.kind === 'deny' ? verdict : worded(interception)
    recorder.record(toJudgedRecord(hall, { call, actor, policyVersion: policy.version }, word))
    hall.observe({ kind: 'verdict', verdict: word.kind })
    return word
  }

  /** The same id twice at once is one call after the other: the second finds what became of the first (P4). */
  function inTurn<T>(input: ToolCall<object>, work: (call: PreparedCall) => Promise<T>): Promise<T> {
    if (hall.closed()) throw new BanksmanError('closed', 'the gateway is closed')
    recorder.check()
    const call = prepareCall(input)
    return turns.take(`${call.session} ${call.callId}`, () => work(call))
  }

  return {
    review: async (input, actor, options = {}) => inTurn(input, (call) => review(call, actor, options)),
    intercept: async (input, interception, actor) =>
      inTurn(input, (call) => intercept(call, interception, actor)),
  }
}

/** What is written with an allowed call about who has it. Also of one that is asked about: a grant may let it through. */
function holdOf(
  hall: GatewayContext,
  verdict: Verdict,
  { allowed }: ReviewOptions,
  actor: Actor,
): CallHold | undefined {
  if (verdict.kind === 'deny' || allowed?.kind === 'run') return undefined
  const hold = { version: 1, by: actor.subject, at: hall.store.now() }
  return allowed === undefined
    ? { ...hold, state: 'reviewed' }
    : { ...hold, state: 'running', key: allowed.key }
}

function worded({ kind, by, because }: Interception): AllowVerdict | DenyVerdict {
  const why = because === undefined || because === '' ? '' : `: ${because}`
  // One that failed has said nothing, and its reason names it already.
  if (kind === 'deny' && because?.startsWith(by)) return { kind: 'deny', because, rule: by }
  if (kind === 'deny') return { kind: 'deny', because: `${by} said no${why}`, rule: by }
  return { kind: 'allow', because: `${by} gave the result in its place; nothing ran${why}`, rule: by }
}

function sessionCode(code: 'session_ended' | 'not_yours' | 'grant_spent'): 'session_ended' | 'not_yours' {
  return code === 'not_yours' ? code : 'session_ended'
}

async function repeat(hall: GatewayContext, call: PreparedCall, known: KnownCall): Promise<Review> {
  if (known.digest !== call.digest) throw callConflict(call, known.digest)
  const base = { repeated: true, arguments: call.arguments, callId: call.callId, digest: call.digest }
  if (known.request === undefined) {
    return {
      ...base,
      verdict: { kind: known.verdict as 'allow' | 'deny', because: known.because },
      ...defined({ hold: known.hold }),
    }
  }
  const request = await hall.store.get(known.request)
  if (request === undefined) throw new BanksmanError('internal', `request ${known.request} has gone`)
  return { ...base, verdict: { kind: 'ask', because: request.because, terms: request.terms }, request }
}
