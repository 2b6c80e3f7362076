/** Entries of Claude Code's lists that are about other arguments than commands, paths and addresses: rules of ours. */
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ArgumentCondition } from '../language/language.ts'
import { type ClaudeRule, type ClaudeTranslation, widened } from './claude-translation.ts'
import { ruleOf } from './imported.ts'

/** What else can stand before a colon: in commands anything, and an agent of a plug-in has one in its name. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['run_in_background', 'timeout', 'description', 'dangerouslyDisableSandbox'],
  Agent: ['model', 'isolation', 'run_in_background', 'mode', 'name', 'description', 'prompt', 'resume'],
  Skill: ['args'],
}

/** `Tool(parameter:value)`, which only denies and asks may say. Undefined where it is none. */
export function translateParameter(rule: ClaudeRule): ClaudeTranslation | undefined {
  const [, parameter = '', value = ''] = /^(\w+)\s*:(?!\/\/)\s*(.+)$/s.exec(rule.specifier) ?? []
  if (rule.list === 'allow' || parameter === '') return undefined
  const tool = rule.tool === 'Task' ? 'Agent' : rule.tool
  const known = Object.hasOwn(PARAMETERS, tool) ? PARAMETERS[tool] : undefined
  if (known !== undefined && !known.includes(parameter)) return undefined
  return argumentRule(rule, { [`/${parameter}`]: scalarCondition(value) })
}

/** The specifiers of tools that have their own. Undefined for all others. */
export function translateArguments(rule: ClaudeRule): ClaudeTranslation | undefined {
  const { tool, specifier } = rule
  if (tool === 'Skill') return translateSkill(rule)
  if (tool !== 'Agent' && tool !== 'Task') return undefined
  return argumentRule(rule, {
    '/subagent_type': specifier.includes('*') ? { glob: specifier } : { equals: specifier },
  })
}

/** `Skill(name)` is the skill without arguments, `Skill(name *)` with any. */
function translateSkill(rule: ClaudeRule): ClaudeTranslation {
  const { specifier, list } = rule
  const name = specifier.replace(/(?: |:)\*$/, '')
  if (list !== 'allow') return argumentRule(rule, { '/skill': { glob: [name, `${name}:*`, `${name} *`] } })
  if (name.includes('*')) return widened(rule, reasonOf('why.star-early'))
  if (specifier.endsWith(':*')) return argumentRule(rule, { '/skill': { glob: [name, `${name}:*`] } })
  const without = name === specifier ? { '/args': { exists: false } } : {}
  return argumentRule(rule, { '/skill': { equals: name }, ...without })
}

const MAX_NAME = 200

function argumentRule(rule: ClaudeRule, args: Record<string, ArgumentCondition>): ClaudeTranslation {
  const { text, tool, list } = rule
  if (text.length > MAX_NAME) return widened(rule, reasonOf('why.too-long'))
  const tools = tool === 'Agent' || tool === 'Task' ? ['Agent', 'Task'] : tool
  return { rule: ruleOf(text, { tool: tools, arguments: args }, list) }
}

/** `true` stands for the boolean and for the word; `*` for anything that is there. */
function scalarCondition(value: string): ArgumentCondition {
  if (value === '*') return { exists: true }
  if (value.includes('*')) return { glob: value }
  if (value === 'true' || value === 'false') return { oneOf: [value === 'true', value] }
  return /^-?\d{1,15}$/.test(value) ? { oneOf: [Number(value), value] } : { equals: value }
}
