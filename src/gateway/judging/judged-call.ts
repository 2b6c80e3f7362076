/** The call of a request as the policy sees it: the agent's own, or what a person made of it. */
import type { CallContent } from '../../core/call.ts'
import { digestOf } from '../../core/digest.ts'
import { canonicalize } from '../../core/json/json.ts'
import type { Request } from '../../core/request.ts'
import type { Facts } from '../../core/verdict.ts'
import type { JudgedCall } from '../gateway-parts.ts'

/** Whether its files are on our disk. */
export function sourceOf(request: Request): { remote: boolean } {
  return { remote: request.remote === true }
}

export function judgedCallOf(request: Request, content: CallContent): JudgedCall {
  return {
    tool: content.tool,
    arguments: content.arguments,
    session: request.session,
    agent: request.agent,
    cwd: content.cwd,
    definition: content.definition,
    origin: request.origin,
  }
}

export function factsDigest(facts: Facts): string {
  // The time is no fact about the world that a claim could find changed.
  const { at: _, ...lasting } = facts
  return digestOf(canonicalize(lasting))
}
