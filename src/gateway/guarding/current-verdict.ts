/** What a call that may run would hear now, with the grants there are: for forecasts, and for calls that were allowed a while ago. */

import { type PreparedCall, prepareCall, type ToolCall } from '../../core/call.ts'
import { told } from '../../core/reasons/english.ts'
import { type Because, toldOf } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Actor, Session } from '../../core/session.ts'
import type { Facts } from '../../core/verdict.ts'
import type { Judgement } from '../../guard/contract.ts'
import type { Store } from '../../stores/store.ts'
import type { GrantUses } from '../grants/use-grants.ts'
import type { Judge } from '../judging/judge.ts'

type CurrentVerdict = Judgement & Because

interface VerdictQuery {
  call: PreparedCall
  actor: Actor
  session: Session | undefined
  granted: boolean
  facts: Facts | undefined
}

export interface CurrentVerdictPorts {
  judge: Judge
  grants: Pick<GrantUses, 'isCovered'>
  store: Pick<Store, 'lookup'>
}

export async function currentVerdict(
  { judge, grants }: Pick<CurrentVerdictPorts, 'judge' | 'grants'>,
  about: VerdictQuery,
): Promise<CurrentVerdict> {
  const { policy, verdict, context } = await judge.call(about)
  const found = { kind: verdict.kind, ...toldOf(verdict) }
  if (verdict.kind !== 'ask' || !about.granted) return found
  const asked = { ...about, policy, policyVersion: policy.version, verdict, context }
  return (await grants.isCovered(asked)) ? { kind: 'allow', ...told(reasonOf('allow.earlier')) } : found
}

/** The policy, the grants and the world may have changed since the call was reviewed or given back. */
export async function rejudgeCall(
  ports: CurrentVerdictPorts,
  given: ToolCall<object>,
  actor: Actor,
): Promise<CurrentVerdict> {
  const call = prepareCall(given)
  const facts = await ports.judge.gatherFacts?.(call, { remote: actor.remote === true })
  const { session, granted } = await ports.store.lookup(call.session, call.callId, call.tool)
  return currentVerdict(ports, { call, actor, session, granted, facts })
}
