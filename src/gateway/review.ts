/**
 * `review`: a tool call comes in, and the policy's word goes out. Where people must be asked, the request is
 * committed before anyone sees it (P1).
 */
import { type PreparedCall, prepareCall, type ToolCall } from '../core/call.ts'
import { QUESTION_DECISIONS } from '../core/decision.ts'
import { digestOf } from '../core/digest.ts'
import { BanksmanError } from '../core/errors.ts'
import { canonicalize, type JsonObject } from '../core/json.ts'
import { checkQuestions } from '../core/question.ts'
import type { Request, RequestDraft } from '../core/request.ts'
import type { Actor, Session } from '../core/session.ts'
import type { AllowVerdict, AskTerms, DenyVerdict, Facts, Verdict } from '../core/verdict.ts'
import { callTexts, type Judging, judged, newKey, sessionOf } from './call-entry.ts'
import type { Hall } from './hall.ts'
import { reachOf } from './reach.ts'
import type { Judged, Recorder } from './recorder.ts'
import { contextFor, memberOf, noteSteered, withStart } from './steered.ts'
import { createTurns } from './turns.ts'
import { useGrants } from './use-grants.ts'

export interface Review {
  verdict: Verdict
  /** Where people are asked. */
  request?: Request
  /** The call was known before: it is the same call again, not a new one. */
  repeated: boolean
  /** A copy of the arguments that nobody else holds. */
  arguments: JsonObject
  /** Of a call that nobody is asked about: what the store made of it, once it is written. */
  record?: Pick<Judged, 'result'>
}

/** A call of this tool is a question to a person, and its result is the answer. */
const QUESTION_TOOL = 'ask_user_question'

export type ReviewVerb = (call: ToolCall<object>, actor: Actor) => Promise<Review>

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
  hall: Hall,
  recorder: Recorder,
): { review: ReviewVerb; intercept: InterceptVerb } {
  const turns = createTurns()

  async function review(given: PreparedCall, actor: Actor): Promise<Review> {
    const facts =
      hall.gatherFacts === undefined
        ? undefined
        : await hall.gatherFacts(given, { remote: actor.remote === true })
    // First what is on its way to the store, then what is there: in this order nothing falls between.
    const underway = recorder.pending(given.session, given.callId, actor.subject)
    const found = await hall.store.lookup(given.session, given.callId, given.tool)
    const call = withStart(hall, found.session, given)
    checkSession(hall, found.session, actor, call)
    const known = found.known ?? underway
    if (known !== undefined) return repeat(hall, call, known)

    const mode = await modeOf(hall, found.session, call, actor)
    const policy = hall.policy()
    const member = await memberOf(hall, found.session, call)
    const steering = policy.steering(call, facts)
    const context = await contextFor(hall, member, mode, steering)
    const verdict = askAnyway(call, policy.evaluate(call, facts, context))
    const judging = { call, actor, policyVersion: policy.version }
    const letThrough = () => noteSteered(hall, member, steering.writes)
    if (verdict.kind !== 'ask') {
      // Before anybody hears of it: whoever is judged afterwards must know what this call may write.
      if (verdict.kind === 'allow') await letThrough()
      const record = judged(hall, judging, verdict)
      recorder.record(record)
      hall.observe({ kind: 'verdict', verdict: verdict.kind })
      return { verdict, repeated: false, arguments: call.arguments, record }
    }
    const asking = { ...judging, verdict, session: found.session, facts }
    // A question is a person's to answer, whatever was allowed before.
    const isGranted = found.granted && call.tool !== QUESTION_TOOL
    if (!isGranted) return open(hall, asking)
    const use = await useGrants(hall, { ...asking, policy, context, letThrough })
    switch (use.kind) {
      case 'none':
        return open(hall, asking)
      case 'used':
        hall.observe({ kind: 'verdict', verdict: 'granted' })
        return { verdict: use.verdict, repeated: false, arguments: call.arguments }
      case 'existing':
        return repeat(hall, call, use)
      case 'refused':
        throw openRefusal(hall, use.code, call)
    }
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
      if (known.digest !== call.digest) throw conflict(call, known.digest)
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
    recorder.record(judged(hall, { call, actor, policyVersion: policy.version }, word))
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
    review: async (input, actor) => inTurn(input, (call) => review(call, actor)),
    intercept: async (input, interception, actor) =>
      inTurn(input, (call) => intercept(call, interception, actor)),
  }
}

function worded({ kind, by, because }: Interception): AllowVerdict | DenyVerdict {
  const why = because === undefined || because === '' ? '' : `: ${because}`
  // One that failed has said nothing, and its reason names it already.
  if (kind === 'deny' && because?.startsWith(by)) return { kind: 'deny', because, rule: by }
  if (kind === 'deny') return { kind: 'deny', because: `${by} said no${why}`, rule: by }
  return { kind: 'allow', because: `${by} gave the result in its place; nothing ran${why}`, rule: by }
}

/** What is allowed runs by itself; a question has nothing to run, and nobody but a person can answer it. */
function askAnyway(call: PreparedCall, verdict: Verdict): Verdict {
  if (call.tool !== QUESTION_TOOL || verdict.kind !== 'allow') return verdict
  const terms: AskTerms = {
    conditions: [{ rule: verdict.rule ?? 'a question', quorum: 1 }],
    allowedDecisions: [...QUESTION_DECISIONS],
    scopes: ['once'],
    severity: 'low',
  }
  return { kind: 'ask', because: verdict.because, terms }
}

/** A session that another one started begins in that one's mode: starting a child is no way out of it, nor of its end. */
async function modeOf(
  hall: Hall,
  session: Session | undefined,
  call: PreparedCall,
  actor: Actor,
): Promise<string | undefined> {
  if (session !== undefined || call.parentSession === undefined) return session?.mode
  const parent = await hall.store.sessions.get(call.parentSession)
  if (parent !== undefined && parent.owner !== actor.subject) throw notYours(parent.id)
  if (parent?.ended !== undefined) throw ended(parent.id, parent.ended)
  return parent?.mode
}

function checkSession(hall: Hall, session: Session | undefined, actor: Actor, call: PreparedCall): void {
  if (session === undefined) {
    // Names of a chat's conversations: an agent that takes one keeps its person out.
    const isOfChannel = hall.channels.some(({ name }) => call.session.startsWith(`${name}/`))
    if (actor.role === 'agent' && isOfChannel) throw notYours(call.session)
    return
  }
  if (session.owner !== actor.subject) throw notYours(call.session)
  if (session.ended !== undefined) throw ended(call.session, session.ended)
  if (call.parentSession !== undefined && call.parentSession !== session.parent) {
    throw new BanksmanError(
      'call_conflict',
      `session ${JSON.stringify(call.session)} was started ${session.parent === undefined ? 'without a parent' : `by ${JSON.stringify(session.parent)}`}; that can't change`,
    )
  }
}

async function repeat(
  hall: Hall,
  call: PreparedCall,
  known: { digest: string; request?: string; verdict: 'allow' | 'deny' | 'ask'; because: string },
): Promise<Review> {
  if (known.digest !== call.digest) throw conflict(call, known.digest)
  const base = { repeated: true, arguments: call.arguments }
  if (known.request === undefined) {
    return { ...base, verdict: { kind: known.verdict as 'allow' | 'deny', because: known.because } }
  }
  const request = await hall.store.get(known.request)
  if (request === undefined) throw new BanksmanError('internal', `request ${known.request} has gone`)
  return { ...base, verdict: { kind: 'ask', because: request.because, terms: request.terms }, request }
}

interface Asking extends Judging {
  verdict: Extract<Verdict, { kind: 'ask' }>
  session: Session | undefined
  facts: Facts | undefined
}

async function open(hall: Hall, asking: Asking): Promise<Review> {
  const { call, actor, verdict, policyVersion, session } = asking
  const question = call.tool === QUESTION_TOOL
  const questions = question ? checkQuestions(call.arguments.questions) : undefined
  const terms: AskTerms = question
    ? { ...verdict.terms, allowedDecisions: [...QUESTION_DECISIONS], scopes: ['once'] }
    : verdict.terms
  const owner = session ?? { ...sessionOf(asking), ownerRole: actor.role, createdAt: hall.store.now() }
  const reach = await reachOf(hall, { origin: call.origin, terms, session: owner })

  const id = hall.newId('req')
  const commitmentKey = newKey(hall)
  const request: RequestDraft = {
    id,
    kind: question ? 'question' : 'approval',
    session: call.session,
    callId: call.callId,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
    ...(call.origin === undefined ? {} : { origin: call.origin }),
    submittedBy: actor.subject,
    ...(actor.remote === true ? { remote: true } : {}),
    tool: call.tool,
    digest: call.digest,
    bytes: call.bytes,
    commitmentKey,
    ...(call.context === undefined ? {} : { context: call.context }),
    ...(call.preview === undefined ? {} : { preview: call.preview }),
    because: verdict.because,
    terms,
    reach: reach.kind === 'live' ? 'live' : 'durable',
    ...(questions === undefined ? {} : { questions }),
    ...(asking.facts === undefined ? {} : { factsDigest: factsDigest(asking.facts) }),
    policyVersion,
    expiresInMs: terms.expiresInMs ?? ownDeadline(hall, call) ?? hall.settings.expiresInMs,
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
  const entry = hall.chain.draftTexts('request.opened', hall.store.now(), members, {
    request: id,
    version: 1,
  })
  const mark = hall.recent.mark(id)
  const result = await hall.store.open({
    request,
    state,
    session: sessionOf(asking),
    deliveries: reach.kind === 'nobody' ? [] : reach.deliveries,
    maxPending: hall.settings.maxPendingPerSession,
    entry,
  })
  switch (result.kind) {
    case 'opened':
      hall.observe({ kind: 'verdict', verdict: 'ask' })
      hall.observe({ kind: 'opened', state })
      hall.recent.keep(result.request, mark)
      if (result.request.deadline !== null) hall.kickDeadlines(result.request.deadline)
      if (reach.kind !== 'nobody' && reach.deliveries.length > 0) hall.kickDeliveries()
      return {
        verdict: { ...verdict, terms },
        request: result.request,
        repeated: false,
        arguments: call.arguments,
      }
    case 'existing':
      return {
        verdict: { ...verdict, terms },
        request: result.request,
        repeated: true,
        arguments: call.arguments,
      }
    case 'known':
      return {
        verdict: { kind: result.verdict, because: result.because },
        repeated: true,
        arguments: call.arguments,
      }
    case 'conflict':
      throw conflict(call, result.digest)
    case 'refused':
      throw openRefusal(hall, result.code, call)
  }
}

/** A conversation in a channel whose people expect an answer at once has a deadline of its own. */
function ownDeadline(hall: Hall, { origin }: PreparedCall): number | undefined {
  return hall.channels.find(({ name }) => name === origin?.channel)?.deadlineMs
}

export function factsDigest(facts: Facts): string {
  // The time is no fact about the world that a claim could find changed.
  const { at: _, ...lasting } = facts
  return digestOf(canonicalize(lasting))
}

function openRefusal(
  hall: Hall,
  code: 'session_ended' | 'not_yours' | 'too_many_pending',
  call: PreparedCall,
): BanksmanError {
  if (code === 'not_yours') return notYours(call.session)
  if (code === 'session_ended') return ended(call.session)
  return new BanksmanError(
    code,
    `session ${JSON.stringify(call.session)} already has ${hall.settings.maxPendingPerSession} requests waiting for a person; wait for some to be decided, or cancel them`,
    { limit: hall.settings.maxPendingPerSession },
  )
}

function notYours(session: string): BanksmanError {
  return new BanksmanError(
    'not_yours',
    `session ${JSON.stringify(session)} belongs to someone else; use a session id of your own`,
  )
}

function ended(session: string, by?: { by: string; reason?: string }): BanksmanError {
  const who = by === undefined ? '' : ` by ${by.by}${by.reason === undefined ? '' : `: ${by.reason}`}`
  return new BanksmanError(
    'session_ended',
    `session ${JSON.stringify(session)} was ended${who}; nothing more runs in it`,
  )
}

function conflict(call: PreparedCall, digest: string): BanksmanError {
  return new BanksmanError(
    'call_conflict',
    `call id ${JSON.stringify(call.callId)} was already used in session ${JSON.stringify(call.session)} for another call; every call needs an id of its own`,
    { digest, found: call.digest },
  )
}
