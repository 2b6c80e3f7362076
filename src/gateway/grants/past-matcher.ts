/** Whether a grant would have held for a call of the past, had there been one. Paths are looked up as they lead today. */
import { type CallContent, definitionDigest } from '../../core/call.ts'
import type { GrantMatch } from '../../core/grants/grant.ts'
import type { Facts } from '../../core/verdict.ts'
import type { PastCall } from '../../stores/store.ts'
import type { JudgedCall } from '../gateway-parts.ts'
import type { Judge } from '../judging/judge.ts'

export type PastMatcher = (match: GrantMatch, call: PastCall, content: CallContent) => Promise<boolean>

/**
 * For calls of one definition. Facts are gathered only where it does not match without them, once for each call, and
 * for no more than `mostLookedUp` calls: the disk is slow.
 */
export function createPastMatcher(
  judge: Pick<Judge, 'policy' | 'gatherFacts'>,
  definition: string,
  mostLookedUp: number,
): PastMatcher {
  const gathered = new Map<PastCall, Facts | undefined>()

  async function factsOf(past: PastCall, call: JudgedCall): Promise<Facts | undefined> {
    if (gathered.has(past) || gathered.size >= mostLookedUp) return gathered.get(past)
    // A call of which nothing can be looked up, for whatever reason, is judged by what it says itself.
    const facts = await judge.gatherFacts?.(call, { remote: false }).catch(() => undefined)
    gathered.set(past, facts)
    return facts
  }

  return async (match, past, { tool, arguments: args, cwd, definition: described }) => {
    if (definitionDigest(described) !== definition) return false
    const policy = judge.policy()
    const call: JudgedCall = { tool, arguments: args, session: past.session, cwd, definition: described }
    if (policy.matches(match, call, past.digest)) return true
    if (match.kind === 'exact') return false
    const facts = await factsOf(past, call)
    return facts !== undefined && policy.matches(match, call, past.digest, facts)
  }
}
