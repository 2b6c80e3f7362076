/**
 * One entry of Claude Code's lists, `Tool` or `Tool(specifier)`. What has no equal here is left out of `allow`, and
 * becomes the whole tool in `deny` and `ask`: too much is asked rather than too little.
 */

import { isBanksmanError } from '../../core/errors.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ListName } from '../language/language.ts'
import { compilePathPattern } from '../matchers/path-pattern.ts'
import { translateArguments, translateParameter } from './claude-arguments.ts'
import { translateCommand } from './claude-command.ts'
import { translatePath } from './claude-path.ts'
import { type ClaudeRule, type ClaudeTranslation, widened } from './claude-translation.ts'
import { entryIn, quoted } from './imported.ts'

const READERS = ['Read', 'Glob', 'Grep']
const EDITORS = ['Edit', 'Write', 'NotebookEdit']
/** Tools that earlier versions had: nothing is allowed them, but a deny holds for them too. */
const FORMER_READERS = ['LS', 'NotebookRead']
const FORMER_EDITORS = ['MultiEdit']

/** @returns Undefined for what is neither `Tool` nor `Tool(…)`. */
export function translateClaudeRule(text: string, list: ListName): ClaudeTranslation | undefined {
  const [, tool, parentheses, inner = ''] = /^([^()]+?)(\((.*)\))?$/s.exec(text) ?? []
  if (tool === undefined) return undefined
  const specifier = inner.trim()
  if (parentheses === undefined || specifier === '') return translateTool(tool, list)
  if (specifier === '*' && tool === 'Bash' && list === 'allow') {
    // An allow of every command still leaves out lines that are not understood.
    return { entries: ['Bash(*)'] }
  }
  // For files it is all that is in the workspace.
  const isFiles = fileRuleFor(tool) !== undefined && list === 'allow'
  if (specifier === '*' && !isFiles) return translateTool(tool, list)
  return translateSpecifier({ text, tool, specifier, list })
}

function translateTool(tool: string, list: ListName): ClaudeTranslation {
  if (/^mcp__(?:(?!__)[^*])+$/.test(tool)) return { entries: [`${tool}__*`] }
  if (list === 'allow' && tool.includes('*') && !/^mcp__(?:(?!__)[^*])+__/.test(tool)) {
    const reason = reasonOf('note.any-tool', { entry: entryIn('allow', tool) })
    return { note: { effect: 'dropped', reason } }
  }
  if (tool === 'Task' || tool === 'Agent') return { entries: ['Agent', 'Task'] }
  if (list === 'allow') return { entries: [tool] }
  if (tool === 'Read') return { entries: [...READERS, ...FORMER_READERS] }
  return { entries: tool === 'Edit' ? [...EDITORS, ...FORMER_EDITORS] : [tool] }
}

function translateSpecifier(rule: ClaudeRule): ClaudeTranslation {
  const { tool, specifier } = rule
  if (tool.startsWith('mcp__')) return widened(rule, reasonOf('why.skipped'))
  const ignored = translateIgnored(rule)
  if (ignored !== undefined) return ignored
  switch (tool) {
    case 'Bash':
      return translateParameter(rule) ?? translateCommand(rule)
    case 'Read':
      return translatePath(rule, READERS, isPattern)
    case 'Edit':
      return translatePath(rule, EDITORS, isPattern)
    case 'WebFetch':
      return translateDomain(rule)
    case 'Cd': {
      const reason = reasonOf('note.typed', { entry: quoted(rule.text) })
      return { note: { effect: 'dropped', reason } }
    }
  }
  const meant = fileRuleFor(tool)
  if (meant === undefined) {
    return translateParameter(rule) ?? translateArguments(rule) ?? widened(rule, reasonOf('why.specifier'))
  }
  if (rule.list === 'allow') return widened(rule, reasonOf('why.file-tool', { tool: meant }))
  return readAs({ ...rule, tool: meant, text: `${meant}(${specifier})` }, rule)
}

/** The tool by whose rules Claude Code goes for the files of another. */
function fileRuleFor(tool: string): 'Read' | 'Edit' | undefined {
  if (READERS.includes(tool) || FORMER_READERS.includes(tool)) return 'Read'
  return EDITORS.includes(tool) || FORMER_EDITORS.includes(tool) ? 'Edit' : undefined
}

const CONTENT = /^(?:command|file_path|path|notebook_path|url)\s*:(?!\/\/)\s*(.+)$/s

/** `Bash(command:rm *)`: there are ways around such a rule, so that Claude Code takes no notice of it. */
function translateIgnored(rule: ClaudeRule): ClaudeTranslation | undefined {
  const [, value] = CONTENT.exec(rule.specifier) ?? []
  if (value === undefined || rule.list === 'allow') return undefined
  return readAs({ ...rule, specifier: value, text: `${rule.tool}(${value})` }, rule)
}

function readAs(meant: ClaudeRule, written: ClaudeRule): ClaudeTranslation {
  const entry = entryIn(written.list, written.text)
  const reason = reasonOf('note.ignored', { entry, right: quoted(meant.text) })
  return { ...translateSpecifier(meant), note: { effect: 'stricter', reason } }
}

/**
 * There the domain is that host alone; in a list of ours `domain:` is about the hosts below it as well, which is no
 * harm in a deny or an ask.
 */
function translateDomain(rule: ClaudeRule): ClaudeTranslation {
  const [, domain] = /^domain:\s*(.+)$/s.exec(rule.specifier) ?? []
  if (domain === undefined) return translateParameter(rule) ?? widened(rule, reasonOf('why.no-domain'))
  if (!/^(?:\*|(?:\*\.)?[^\s/?#@:*[\]\\%]+)$/.test(domain)) {
    return widened(rule, reasonOf('why.no-host'))
  }
  const isExact = rule.list === 'allow' && !domain.startsWith('*')
  return { entries: [isExact ? `WebFetch(${domain})` : `WebFetch(domain:${domain})`] }
}

function isPattern(pattern: string): boolean {
  try {
    compilePathPattern(pattern, { roots: [] }, '')
    return true
  } catch (error) {
    if (isBanksmanError(error, 'invalid_policy')) return false
    throw error
  }
}
