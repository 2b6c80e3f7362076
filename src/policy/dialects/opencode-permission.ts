/**
 * opencode's `permission`: an action for each tool, or for patterns of what it is given, of which the last that fits
 * counts there. Here the strictest counts, so an entry that is softened by a later one stays as strict as it is.
 */

import { pointerStep } from '../../core/json/pointer-step.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ListName, WhenBlock } from '../language/language.ts'
import { compileGlob } from '../matchers/globs/glob.ts'
import { translateCommand } from './claude-command.ts'
import {
  beginImport,
  describe,
  type Imported,
  type ImportedFields,
  type Importing,
  isFields,
  quoted,
  refuse,
  ruleOf,
} from './imported.ts'

const LISTS: Readonly<Record<string, ListName>> = { allow: 'allow', ask: 'ask', deny: 'deny' }

/** By the name of the permission: the tools that it is about, under the names that they have here. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  bash: ['Bash'],
  read: ['Read'],
  edit: ['Edit', 'Write', 'MultiEdit', 'opencode__apply_patch', 'opencode__patch', 'opencode__multiedit'],
  list: ['LS'],
  glob: ['Glob'],
  grep: ['Grep'],
  webfetch: ['WebFetch'],
  websearch: ['WebSearch', 'opencode__websearch'],
}

/** About something else than a tool. */
const NO_TOOLS: ReadonlySet<string> = new Set(['external_directory', 'doom_loop'])

export function importOpencodePermission(value: unknown): Imported {
  if (typeof value !== 'string' && !isFields(value))
    refuse(reasonOf('foreign.actions', { what: 'permission', found: describe(value) }), '')
  const importing = beginImport()
  importFields(typeof value === 'string' ? { '*': value } : value, typeof value === 'string', importing)
  importing.note('', 'stricter', reasonOf('note.opencode-runs'))
  return importing.done({})
}

function importFields(fields: ImportedFields, isOne: boolean, importing: Importing): void {
  const names = Object.keys(fields)
  const last = names.lastIndexOf('*')
  const general = last === -1 ? undefined : listOf(fields['*'], isOne ? '' : '/*')
  const softer = names.slice(last + 1).filter((name) => general === 'deny' && fields[name] !== 'deny')
  if (softer.length > 0)
    importing.note('/*', 'stricter', reasonOf('note.all-denied', { others: softer.map(quoted) }))
  for (const [index, name] of names.entries()) {
    const pointer = isOne ? '' : pointerStep(name)
    if (NO_TOOLS.has(name) || (general === 'deny' && name !== '*' && fields[name] !== 'deny')) continue
    // Without a rule a person is asked anyway; an ask for all would take back what other entries allow.
    if (name === '*' && general === 'ask' && names.slice(last + 1).some((one) => hasAllow(fields[one])))
      continue
    // The last that fits counts: an allow before the one for all tools is none.
    if (index < last && hasAllow(fields[name]))
      importing.note(pointer, 'changed', reasonOf('note.before-star', { tool: quoted(name) }))
    importTool(name, index < last ? withoutAllows(fields[name]) : fields[name], pointer, importing)
  }
  importOutside(fields, general, importing)
  if (fields.doom_loop !== undefined) importing.note('/doom_loop', 'dropped', reasonOf('note.doom-loop'))
}

/** Paths outside of the project, about which opencode asks unless it is told otherwise. */
function importOutside(
  fields: ImportedFields,
  general: ListName | undefined,
  { addRule, note }: Importing,
): void {
  const { external_directory: value } = fields
  const pointer = value === undefined ? '' : '/external_directory'
  const isMap = isFields(value)
  const actions = isMap ? Object.values(value).map((one) => listOf(one, pointer)) : []
  const plain = value === undefined || isMap ? (general ?? 'ask') : listOf(value, pointer)
  const found = isMap
    ? (['deny', 'ask'] as const).find((one) => one === 'ask' || actions.includes(one))
    : plain
  if (isMap) note(pointer, 'stricter', reasonOf('note.outside', { list: found ?? 'ask' }))
  if (found === 'allow' || found === undefined) return
  const when = { kind: ['read', 'edit', 'shell'], not: { path: './**' } } satisfies WhenBlock
  addRule(ruleOf('outside the workspace', when, found), pointer)
}

function hasAllow(value: unknown): boolean {
  return value === 'allow' || (isFields(value) && Object.values(value).includes('allow'))
}

function withoutAllows(value: unknown): unknown {
  if (value === 'allow') return {}
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, action]) => action !== 'allow'))
}

function importTool(name: string, value: unknown, pointer: string, importing: Importing): void {
  const tools = toolsOf(name)
  if (typeof value === 'string') {
    addAll(tools, listOf(value, pointer), pointer, importing)
    return
  }
  if (!isFields(value))
    refuse(reasonOf('foreign.actions', { what: quoted(name), found: describe(value) }), pointer)
  const patterns = Object.entries(value)
  const base = patterns.findLastIndex(([pattern]) => pattern === '*')
  const general = base === -1 ? undefined : listOf(patterns[base]![1], `${pointer}${pointerStep('*')}`)
  // What stands before the one for everything never counts.
  const counting = patterns.slice(base + 1)
  if (base > 0) importing.note(pointer, 'changed', reasonOf('note.never-count', { tool: quoted(name) }))
  const softer = counting.filter(([, action]) => general === 'deny' && action !== 'deny')
  if (softer.length > 0)
    importing.note(
      pointer,
      'stricter',
      reasonOf('note.denied-but', { tool: quoted(name), others: softer.map(([pattern]) => quoted(pattern)) }),
    )
  // A person is asked anyway where nothing allows it; an ask would take back what the patterns allow.
  if (general !== undefined && !(general === 'ask' && counting.some(([, action]) => action === 'allow')))
    addAll(tools, general, pointer, importing)
  for (const [pattern, action] of counting) {
    const at = `${pointer}${pointerStep(pattern)}`
    const list = listOf(action, at)
    if (general === 'deny' && list !== 'deny') continue

    importPattern({ name, pattern, list, pointer: at, tools }, importing)
  }
}

interface PatternEntry {
  readonly name: string
  readonly pattern: string
  readonly list: ListName
  readonly pointer: string
  readonly tools: readonly string[]
}

function importPattern(entry: PatternEntry, importing: Importing): void {
  const { name, pattern, list, pointer, tools } = entry
  if (name === 'bash' && !pattern.includes('?')) {
    const {
      entries = [],
      rule,
      note,
    } = translateCommand({
      ...{ text: pattern, tool: 'Bash', list },
      specifier: pattern,
    })
    for (const one of entries) importing.add(list, one, pointer)
    if (rule !== undefined) importing.addRule(rule, pointer)
    if (note !== undefined) importing.note(pointer, note.effect, note.reason)
    return
  }
  const what = reasonOf('note.entry-of', { entry: quoted(pattern), of: quoted(name) })
  if (list === 'allow') {
    importing.note(pointer, 'dropped', reasonOf('note.pattern-dropped', { entry: what }))
    return
  }
  importing.note(pointer, 'stricter', reasonOf('note.pattern-wider', { entry: what, tool: quoted(name) }))
  addAll(tools, list, pointer, importing)
}

function toolsOf(name: string): readonly string[] {
  if (name === '*') return ['*']
  if (Object.hasOwn(TOOLS, name)) return TOOLS[name]!
  const matches = compileGlob(name)
  const known = Object.entries(TOOLS).flatMap(([permission, tools]) => (matches(permission) ? tools : []))
  return [`opencode__${name}`, ...known]
}

function addAll(tools: readonly string[], list: ListName, pointer: string, importing: Importing): void {
  for (const tool of tools) importing.add(list, tool, pointer)
}

function listOf(action: unknown, pointer: string): ListName {
  if (typeof action === 'string' && Object.hasOwn(LISTS, action)) return LISTS[action]!
  return refuse(
    reasonOf('foreign.action', { found: typeof action === 'string' ? quoted(action) : describe(action) }),
    pointer,
  )
}
