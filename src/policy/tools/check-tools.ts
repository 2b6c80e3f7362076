/** Checks the value under `tools:`: what the policy is told of tools that are not built in. */
import { pointerStep } from '../../core/json/pointer-step.ts'
import { SEVERITIES } from '../../core/verdict.ts'
import {
  checkKeys,
  checkTexts,
  checkWord,
  describeValue,
  throwInvalidPolicy,
} from '../language/block-checks.ts'
import type { ToolBlock, ToolKind } from '../language/language.ts'
import { checkPointer } from '../matchers/pointer.ts'

const KEYS = ['kind', 'danger', 'command', 'words', 'path', 'glob', 'url'] as const
const KINDS: readonly ToolKind[] = ['read', 'edit', 'shell', 'network']

export function checkTools(value: unknown): Record<string, ToolBlock> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throwInvalidPolicy(
      `tools must be an object from tool names to what they are; found ${describeValue(value)}`,
      '/tools',
    )
  }
  const tools: Record<string, ToolBlock> = {}
  for (const [name, block] of Object.entries(value)) tools[name] = checkTool(name, block)
  return tools
}

function checkTool(name: string, value: unknown): ToolBlock {
  const at = `/tools${pointerStep(name)}`
  const found = checkKeys(value, KEYS, `what is said of ${JSON.stringify(name)}`, at)
  const pointers = (key: 'path' | 'url') =>
    found[key] === undefined
      ? {}
      : {
          [key]: checkTexts(found[key], key, `${at}/${key}`).map((one) =>
            checkPointer(one, `${at}/${key}`, { star: true }),
          ),
        }
  const pointer = (key: 'command' | 'words' | 'glob') =>
    found[key] === undefined ? {} : { [key]: checkPointer(found[key], `${at}/${key}`) }
  const block: ToolBlock = {
    ...(found.kind === undefined ? {} : { kind: checkWord(found.kind, KINDS, 'kind', `${at}/kind`) }),
    ...(found.danger === undefined
      ? {}
      : { danger: checkWord(found.danger, SEVERITIES, 'danger', `${at}/danger`) }),
    ...pointer('command'),
    ...pointer('words'),
    ...pointer('glob'),
    ...pointers('path'),
    ...pointers('url'),
  }
  if (block.command !== undefined && block.kind !== 'shell') {
    throwInvalidPolicy(`command says where a shell's command is; add kind: shell`, `${at}/command`)
  }
  if (block.kind === 'edit' && block.path === undefined) {
    throwInvalidPolicy(
      'a tool that edits files needs path: where in its arguments the path is, as in path: /file',
      at,
    )
  }
  return block
}
