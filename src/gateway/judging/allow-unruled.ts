/**
 * Of calls that are harmless unless somebody says otherwise, such as reading a resource of an MCP server: what only the mode would ask about
 * is allowed. A rule that asks still asks, and a deny stays a deny. Only our own routes can say so of a call.
 */
import { told } from '../../core/reasons/english.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Verdict } from '../../core/verdict.ts'

export function allowUnruled(tool: string, verdict: Verdict): Verdict {
  if (verdict.kind !== 'ask') return verdict
  const isByMode = verdict.terms.conditions.every(({ rule }) => rule.startsWith('mode: '))
  if (!isByMode) return verdict
  return { kind: 'allow', ...told(reasonOf('allow.mcp-method', { what: tool })), rule: 'mcp: unless ruled' }
}
