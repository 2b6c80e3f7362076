/** The one place where the policy is asked about a call, with all that it needs to know. Nothing is recorded. */

import type { PreparedCall } from '../../core/call.ts'
import { QUESTION_DECISIONS } from '../../core/decision.ts'
import { defined } from '../../core/defined.ts'
import { BanksmanError } from '../../core/errors.ts'
import { QUESTION_TOOL } from '../../core/question.ts'
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { AskTerms, Facts, Verdict } from '../../core/verdict.ts'
import type { CallSteering, EvaluationContext, Policy } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { GatewayParts } from '../gateway-parts.ts'
import { sessionEndedRefusal, sessionNotYours } from '../requests/call-refusals.ts'
import type { SessionMember } from '../sessions/session-lineage.ts'
import type { SessionModes } from '../sessions/session-modes.ts'
import type { SessionSteering } from '../sessions/session-steering.ts'

export interface CallToJudge {
  call: PreparedCall
  actor: Actor
  session: Session | undefined
  facts: Facts | undefined
}

export interface CallJudgement {
  policy: Policy
  member: SessionMember
  steering: CallSteering
  context: EvaluationContext
  verdict: Verdict
}

export interface Judge extends Pick<GatewayParts, 'policy' | 'gatherFacts'> {
  readonly steering: SessionSteering
  readonly modes: Pick<SessionModes, 'inForce'>
  /** What the policy says of the call now. Nobody is asked. */
  call(about: CallToJudge): Promise<CallJudgement>
  /** A session that another one started begins in that one's mode: starting a child is no way out of it, nor of its end. */
  modeOf(session: Session | undefined, call: PreparedCall, actor: Actor): Promise<string | undefined>
  /** Throws where the actor can't make this call in this session. */
  checkSession(session: Session | undefined, actor: Actor, call: PreparedCall): void
}

export interface JudgePorts extends Pick<GatewayParts, 'policy' | 'channels'> {
  gatherFacts: GatewayParts['gatherFacts']
  store: Pick<Store, 'sessions'>
  steering: SessionSteering
  modes: Pick<SessionModes, 'inForce'>
}

export function createJudge(ports: JudgePorts): Judge {
  const { policy: current, gatherFacts, channels, store, steering, modes } = ports

  async function call({ call, actor, session, facts }: CallToJudge): Promise<CallJudgement> {
    const mode = await modeOf(session, call, actor)
    const policy = current()
    const member = await steering.memberOf(session, call)
    const steers = policy.steering(call, facts)
    const context = await steering.contextFor(member, mode, steers)
    const verdict = askAnyway(call, policy.evaluate(call, facts, context))
    return { policy, member, steering: steers, context, verdict }
  }

  async function modeOf(
    session: Session | undefined,
    call: PreparedCall,
    actor: Actor,
  ): Promise<string | undefined> {
    if (session !== undefined || call.parentSession === undefined) return modes.inForce(session)
    const parent = await store.sessions.get(call.parentSession)
    if (parent !== undefined && parent.owner !== actor.subject) throw sessionNotYours(parent.id)
    if (parent?.ended !== undefined) throw sessionEndedRefusal(parent.id, parent.ended)
    return modes.inForce(parent)
  }

  function checkSession(session: Session | undefined, actor: Actor, call: PreparedCall): void {
    if (session === undefined) {
      // Names of a chat's conversations: an agent that takes one keeps its person out.
      const isOfChannel = channels.some(({ name }) => call.session.startsWith(`${name}/`))
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

  return { policy: current, steering, modes, call, modeOf, checkSession, ...defined({ gatherFacts }) }
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
  return { kind: 'ask', ...told(reasonOf('ask.question')), terms }
}
