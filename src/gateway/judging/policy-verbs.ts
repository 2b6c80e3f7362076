/** `explain`, `knownTool` and `notePolicy`: the policy in force, for people. */
import { prepareCall, type ToolCall } from '../../core/call.ts'
import type { Actor } from '../../core/session.ts'
import type { Explanation, Policy } from '../../policy/policy.ts'
import type { Store } from '../../stores/store.ts'
import type { JournalWriter } from '../record/journal-writer.ts'
import { requirePerson } from '../requests/require-person.ts'
import type { Judge } from './judge.ts'

export interface PolicyVerbs {
  /** What the policy, or one that is given, says of a call, without recording or asking anything. People only. */
  explain(call: ToolCall, actor: Actor, context?: { mode?: string; policy?: Policy }): Promise<Explanation>
  /** What the policy's catalogue knows of a call's tool, for who shows the call. */
  knownTool: Policy['knownTool']
  deniesByName: Policy['deniesByName']
  /** Records which policy is in force from now on. `policy` is its version, where it is not in force yet. */
  notePolicy(input: { configuration: string; trust: string; policy?: string }, actor: Actor): Promise<void>
}

export interface PolicyPorts {
  judge: Pick<Judge, 'policy' | 'gatherFacts' | 'steering'>
  store: Pick<Store, 'journal' | 'sessions'>
  journal: JournalWriter
}

export function createPolicyVerbs({ judge, store, journal }: PolicyPorts): PolicyVerbs {
  return {
    async explain(call, actor, { policy = judge.policy(), mode } = {}) {
      requirePerson(actor, 'have the policy explained')
      const prepared = prepareCall(call)
      const source = { remote: false, lookups: policy.lookups }
      const facts = await judge.gatherFacts?.(prepared, source)
      const session = await store.sessions.get(prepared.session)
      const member = session ?? { id: prepared.session, parent: prepared.parentSession }
      const steering = policy.steering(prepared, facts)
      return policy.explain(prepared, facts, await judge.steering.contextFor(member, mode, steering))
    },
    knownTool: (call) => judge.policy().knownTool(call),
    deniesByName: (tool) => judge.policy().deniesByName(tool),
    async notePolicy({ configuration, trust, policy = judge.policy().version }, actor) {
      requirePerson(actor, 'put a policy into force')
      await store.journal.append(
        journal.entry('policy.applied', { policy, configuration, trust, by: actor.subject }),
      )
    },
  }
}
