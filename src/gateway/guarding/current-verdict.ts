/** What a call that may run would hear now, with the grants there are: for forecasts, and for calls that were allowed a while ago. */
import { type PreparedCall, prepareCall, type ToolCall } from '../../core/call.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Facts, Verdict } from '../../core/verdict.ts'
import type { Judgement } from '../../guard/contract.ts'
import { isCovered } from '../grants/use-grants.ts'
import { judgeCall } from '../judging/judge-call.ts'
import type { GatewayContext } from '../requests/change-request.ts'

interface VerdictQuery {
  call: PreparedCall
  actor: Actor
  session: Session | undefined
  granted: boolean
  facts: Facts | undefined
}

export async function currentVerdict(hall: GatewayContext, about: VerdictQuery): Promise<Judgement> {
  const { policy, verdict, context } = await judgeCall(hall, about)
  const { kind, because }: Verdict = verdict
  if (verdict.kind !== 'ask' || !about.granted) return { kind, because }
  const asked = { ...about, policy, policyVersion: policy.version, verdict, context }
  return (await isCovered(hall, asked))
    ? { kind: 'allow', because: 'a person has allowed it' }
    : { kind, because }
}

/** The policy, the grants and the world may have changed since the call was reviewed or given back. */
export async function rejudgeCall(
  hall: GatewayContext,
  given: ToolCall<object>,
  actor: Actor,
): Promise<Judgement> {
  const call = prepareCall(given)
  const facts = await hall.gatherFacts?.(call, { remote: actor.remote === true })
  const { session, granted } = await hall.store.lookup(call.session, call.callId, call.tool)
  return currentVerdict(hall, { call, actor, session, granted, facts })
}
