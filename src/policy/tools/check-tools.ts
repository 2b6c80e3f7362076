/** Checks the value under `tools:`: what the policy is told of tools that are not built in. */

import { pointerStep } from '../../core/json/pointer-step.ts'
import { TOOL_KINDS } from '../../core/known-tool.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import { checkEach } from '../../core/support/mistakes.ts'
import { SEVERITIES } from '../../core/verdict.ts'
import {
  checkMembers,
  checkTexts,
  checkWord,
  describeValue,
  throwInvalidPolicy,
} from '../language/block-checks.ts'
import type { ToolBlock } from '../language/language.ts'
import { checkPointer } from '../matchers/pointer.ts'

export function checkTools(value: unknown): Record<string, ToolBlock> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throwInvalidPolicy(reasonOf('wrong.tools', { found: describeValue(value) }), '/tools')
  }
  const tools: Record<string, ToolBlock> = {}
  checkEach(
    Object.entries(value).map(([name, block]) => () => {
      tools[name] = checkTool(name, block)
    }),
  )
  return tools
}

function checkTool(name: string, value: unknown): ToolBlock {
  const at = `/tools${pointerStep(name)}`
  const pointer = (given: unknown, where: string) => checkPointer(given, where)
  const pointers = (key: 'path' | 'url' | 'patch') => (given: unknown, where: string) =>
    checkTexts(given, key, where).map((one) => checkPointer(one, where, { star: true }))
  const block: ToolBlock = checkMembers(
    value,
    {
      kind: (given, where) => checkWord(given, [...TOOL_KINDS, 'patch'] as const, 'kind', where),
      danger: (given, where) => checkWord(given, SEVERITIES, 'danger', where),
      command: pointer,
      words: pointer,
      path: pointers('path'),
      glob: pointer,
      patch: pointers('patch'),
      url: pointers('url'),
    },
    reasonOf('what.tool', { tool: JSON.stringify(name) }),
    at,
  )
  if (block.command !== undefined && block.kind !== 'shell') {
    throwInvalidPolicy(reasonOf('wrong.command-kind'), `${at}/command`)
  }
  if (block.kind === 'edit' && block.path === undefined) {
    throwInvalidPolicy(reasonOf('wrong.edit-path'), at)
  }
  return block
}
