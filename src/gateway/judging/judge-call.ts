/** What the policy says of a call now, with all that it needs to know. Nothing is recorded, and nobody is asked. */
import type { PreparedCall } from '../../core/call.ts'
import { QUESTION_DECISIONS } from '../../core/decision.ts'
import { BanksmanError } from '../../core/errors.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { AskTerms, Facts, Verdict } from '../../core/verdict.ts'
import { sessionEndedRefusal, sessionNotYours } from '../requests/call-refusals.ts'
import type { GatewayContext } from '../requests/change-request.ts'
import { evaluationContextFor, sessionMemberOf } from '../sessions/session-steering.ts'

/** A call of this tool is a question to a person, and its result is the answer. */
export const QUESTION_TOOL = 'ask_user_question'

export interface CallToJudge {
  call: PreparedCall
  actor: Actor
  session: Session | undefined
  facts: Facts | undefined
}

export async function judgeCall(hall: GatewayContext, { call, actor, session, facts }: CallToJudge) {
  const mode = await modeOf(hall, session, call, actor)
  const policy = hall.policy()
  const member = await sessionMemberOf(hall, session, call)
  const steering = policy.steering(call, facts)
  const context = await evaluationContextFor(hall, member, mode, steering)
  const verdict = askAnyway(call, policy.evaluate(call, facts, context))
  return { policy, member, steering, context, verdict }
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
export async function modeOf(
  hall: GatewayContext,
  session: Session | undefined,
  call: PreparedCall,
  actor: Actor,
): Promise<string | undefined> {
  if (session !== undefined || call.parentSession === undefined) return session?.mode
  const parent = await hall.store.sessions.get(call.parentSession)
  if (parent !== undefined && parent.owner !== actor.subject) throw sessionNotYours(parent.id)
  if (parent?.ended !== undefined) throw sessionEndedRefusal(parent.id, parent.ended)
  return parent?.mode
}

export function checkSession(
  hall: GatewayContext,
  session: Session | undefined,
  actor: Actor,
  call: PreparedCall,
): void {
  if (session === undefined) {
    // Names of a chat's conversations: an agent that takes one keeps its person out.
    const isOfChannel = hall.channels.some(({ name }) => call.session.startsWith(`${name}/`))
    if (actor.role === 'agent' && isOfChannel) throw sessionNotYours(call.session)
    return
  }
  if (session.owner !== actor.subject) throw sessionNotYours(call.session)
  if (session.ended !== undefined) throw sessionEndedRefusal(call.session, session.ended)
  if (call.parentSession !== undefined && call.parentSession !== session.parent) {
    throw new BanksmanError(
      'call_conflict',
      `session ${JSON.stringify(call.session)} was started ${session.parent === undefined ? 'without a parent' : `by ${JSON.stringify(session.parent)}`}; that can't change`,
    )
  }
}
