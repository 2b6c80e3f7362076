/** What people are shown of a tool, and what the policy takes from it: hints can make a verdict stricter, never laxer. */
import { type GivenDefinition, LIMITS, type ToolAnnotations } from '../../core/call.ts'
import { asObject } from './gated-call.ts'

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

export function toolDefinition(listed: Record<string, unknown>): GivenDefinition {
  const { description, inputSchema, title } = listed
  const given = asObject(listed.annotations)
  const named = typeof given.title === 'string' ? given.title : title
  const annotations: ToolAnnotations = typeof named === 'string' ? { title: shortened(named) } : {}
  for (const hint of HINTS) if (typeof given[hint] === 'boolean') annotations[hint] = given[hint]
  return {
    ...(typeof description === 'string' ? { description: shortened(description) } : {}),
    ...(inputSchema === undefined ? {} : { schema: inputSchema }),
    annotations,
  }
}

/** The whole of it is pinned. */
function shortened(text: string): string {
  return text
    .toWellFormed()
    .slice(0, LIMITS.note - 1)
    .toWellFormed()
}
