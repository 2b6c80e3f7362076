/**
 * `review`: a tool call comes in, and the policy's word goes out. Where people must be asked, the request is
 * committed before anyone sees it (P1).
 */

import { type PreparedCall, prepareCall, type ToolCall } from '../../core/call.ts'
import type { CallHold } from '../../core/call-hold.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { QUESTION_TOOL } from '../../core/question.ts'
import { told } from '../../core/reasons/english.ts'
import { toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { currentTerms, type Request, type SameCall } from '../../core/request.ts'
import type { Actor } from '../../core/session.ts'
import { type AllowVerdict, JOINED_RULE, type Verdict } from '../../core/verdict.ts'
import type { KnownCall, RecordResult, Store } from '../../stores/store.ts'
import type { GrantUses } from '../grants/use-grants.ts'
import type { Host } from '../host.ts'
import { allowUnruled } from '../judging/allow-unruled.ts'
import { type ForcedAsk, forceAsk, isAskedEnough } from '../judging/forced-ask.ts'
import {
  type JudgedRecord,
  type JudgingInput,
  sessionDraftOf,
  toCallRecord,
  toJudgedRecord,
} from '../record/call-entry.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { callConflict, sessionRefusal } from '../requests/call-refusals.ts'
import { type InterceptPorts, type InterceptVerb, interceptCall } from './intercept.ts'
import { isUnsettled, type Joins, unsettledAsk } from './join-request.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import type { OpenRequest } from './open-request.ts'
import type { Review, ReviewOptions } from './review-result.ts'
import { predecessorOf } from './successors.ts'

export type ReviewVerb = (call: ToolCall<object>, actor: Actor, options?: ReviewOptions) => Promise<Review>

export interface ReviewPorts extends InterceptPorts {
  store: Pick<Store, 'get' | 'lookup' | 'now' | 'record'>
  journal: JournalWriter
  grants: Pick<GrantUses, 'use'>
  joins: Pick<Joins, 'find' | 'findSame'>
  openRequest: OpenRequest
  host: Pick<Host, 'closed' | 'observe' | 'random'>
}

export function createReview(ports: ReviewPorts): { review: ReviewVerb; intercept: InterceptVerb } {
  const { store, judge, journal, recorder, grants, joins, openRequest, host } = ports
  const turns = createKeyedQueue()

  async function review(given: PreparedCall, actor: Actor, options: ReviewOptions): Promise<Review> {
    const { gatherFacts } = judge
    const facts =
      gatherFacts === undefined ? undefined : await gatherFacts(given, { remote: actor.remote === true })
    // First what is on its way to the store, then what is there: in this order nothing falls between.
    const underway = recorder.pending(given.session, given.callId, actor.subject)
    const found = await store.lookup(given.session, given.callId, given.tool)
    const call = judge.steering.withParent(found.session, given)
    judge.checkSession(found.session, actor, call)
    const known = found.known ?? underway
    const alias = known?.hold?.joined
    if (known !== undefined && alias !== undefined) {
      if (known.digest !== call.digest) throw callConflict(call, known.digest)
      return review({ ...given, callId: alias }, actor, options)
    }
    const before = known === undefined ? undefined : await repeat(store, call, known)
    const predecessor = options.asksAgain === true ? predecessorOf(before?.request) : undefined
    if (before !== undefined && predecessor === undefined) return before

    const judgement = await judge.call({ call, actor, session: found.session, facts })
    const { policy, member, steering } = judgement
    const said = options.allowsUnruled ? allowUnruled(call.tool, judgement.verdict) : judgement.verdict
    const { asks, unsettled } = await asksOf(call, said, options)
    const verdict = asks.reduce(forceAsk, said)
    const hold = holdOf(store, verdict, options, actor)
    const judging: JudgingInput = {
      call,
      actor,
      policyVersion: policy.version,
      ...defined({ hold, predecessor }),
    }
    const reviewed = { repeated: false, arguments: call.arguments, callId: call.callId, digest: call.digest }
    const letThrough = () => judge.steering.noteWrites(member, steering.writes)
    if (verdict.kind !== 'ask') {
      // Before anybody hears of it: whoever is judged afterwards must know what this call may write.
      if (verdict.kind === 'allow') await letThrough()
      const record = toJudgedRecord(ports, judging, verdict)
      if (predecessor !== undefined) {
        const result = await recordAfter(record, predecessor.id)
        if (result.kind === 'existing') return repeat(store, call, result)
        if (result.kind === 'refused') throw sessionRefusal(sessionCode(result.code), call.session)
        record.result = result
      } else recorder.record(record)
      host.observe({ kind: 'verdict', verdict: verdict.kind })
      return { ...reviewed, verdict, record }
    }
    const asking = { ...judging, verdict, session: found.session, facts, ...options }
    // A question is a person's to answer, whatever was allowed before.
    const isGranted = found.granted && call.tool !== QUESTION_TOOL && asks.length === 0
    const use = isGranted
      ? await grants.use({ ...asking, policy, context: judgement.context, letThrough })
      : { kind: 'none' as const }
    switch (use.kind) {
      case 'none': {
        const joined = options.join && (await joins.find(call, options.join, mayJoin(asks, unsettled)))
        if (joined === undefined) return openRequest(asking)
        await recordJoined(judging, joined)
        return review(given, actor, options)
      }
      case 'used':
        host.observe({ kind: 'verdict', verdict: 'granted' })
        return {
          ...reviewed,
          verdict: use.verdict,
          isGranted: true,
          record: { result: { kind: 'recorded' } },
        }
      case 'existing':
        return repeat(store, call, use)
      case 'refused':
        throw sessionRefusal(use.code, call.session)
    }
  }

  /** What has a person asked whatever the policy says: its caller, and the same call if nobody knows what became of it (P4). */
  async function asksOf(
    call: PreparedCall,
    verdict: Verdict,
    { asks, join }: ReviewOptions,
  ): Promise<{ asks: ForcedAsk[]; unsettled?: SameCall }> {
    const same = join === undefined || verdict.kind === 'deny' ? undefined : await joins.findSame(call, join)
    const own = asks === undefined ? [] : [asks]
    if (same === undefined || !isUnsettled(same)) return { asks: own }
    return { asks: [...own, unsettledAsk(same)], unsettled: same }
  }

  /** In the place of a request that ended: not in a batch, so that of several processes one wins. */
  function recordAfter(record: JudgedRecord, succeeds: string): Promise<RecordResult> {
    const entry = journal.draftTexts('calls.judged', store.now(), { calls: `[${record.text}]` })
    return store.record({ call: record.call, session: record.session, entry, succeeds })
  }

  /** From now on the call is another name of the one whose request it joined. */
  async function recordJoined(judging: JudgingInput, { id, callId }: Request): Promise<void> {
    const { call, actor } = judging
    const hold: CallHold = {
      version: 1,
      state: 'done',
      by: actor.subject,
      at: store.now(),
      joined: callId,
    }
    const joining = told(reasonOf('allow.joined', { request: id }))
    const verdict: AllowVerdict = { kind: 'allow', ...joining, rule: JOINED_RULE }
    const record = toCallRecord(ports, { ...judging, hold }, verdict)
    const members = { session: call.session, callId: call.callId, request: id, by: actor.subject }
    const entry = journal.entry('call.joined', members)
    const result = await store.record({ call: record, session: sessionDraftOf(judging), entry })
    if (result.kind === 'refused') throw sessionRefusal(sessionCode(result.code), call.session)
  }

  /** The same id twice at once is one call after the other: the second finds what became of the first (P4). */
  function inTurn<T>(input: ToolCall<object>, work: (call: PreparedCall) => Promise<T>): Promise<T> {
    if (host.closed()) throw new BanksmanError('closed', 'the gateway is closed')
    recorder.check()
    const call = prepareCall(input)
    return turns.take(`${call.session} ${call.callId}`, () => work(call))
  }

  return {
    review: async (input, actor, options = {}) => inTurn(input, (call) => review(call, actor, options)),
    intercept: async (input, interception, actor) =>
      inTurn(input, (call) => interceptCall(ports, call, interception, actor)),
  }
}

/** What is written with an allowed call about who has it. Also of one that is asked about: a grant may let it through. */
function holdOf(
  store: Pick<Store, 'now'>,
  verdict: Verdict,
  { allowed }: ReviewOptions,
  actor: Actor,
): CallHold | undefined {
  if (verdict.kind === 'deny' || allowed?.kind === 'run') return undefined
  const hold = { version: 1, by: actor.subject, at: store.now() }
  return allowed === undefined
    ? { ...hold, state: 'reviewed' }
    : { ...hold, state: 'running', key: allowed.key }
}

/** Another's approval does where that one was asked for no less, and its people were told of the call that may have run. */
function mayJoin(asks: readonly ForcedAsk[], unsettled: SameCall | undefined): (request: Request) => boolean {
  return (request) =>
    (unsettled === undefined || request.sameCall?.id === unsettled.id) &&
    asks.every((one) => isAskedEnough(currentTerms(request), one))
}

function sessionCode(code: 'session_ended' | 'not_yours' | 'grant_spent'): 'session_ended' | 'not_yours' {
  return code === 'not_yours' ? code : 'session_ended'
}

async function repeat(store: Pick<Store, 'get'>, call: PreparedCall, known: KnownCall): Promise<Review> {
  if (known.digest !== call.digest) throw callConflict(call, known.digest)
  const base = { repeated: true, arguments: call.arguments, callId: call.callId, digest: call.digest }
  if (known.request === undefined) {
    return {
      ...base,
      verdict: { kind: known.verdict as 'allow' | 'deny', ...toldOf(known) },
      ...defined({ hold: known.hold }),
    }
  }
  const request = await store.get(known.request)
  if (request === undefined) throw new BanksmanError('internal', `request ${known.request} has gone`)
  return { ...base, verdict: { kind: 'ask', ...toldOf(request), terms: request.terms }, request }
}
