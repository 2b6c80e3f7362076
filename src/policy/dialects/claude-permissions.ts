/**
 * Claude Code's `permissions`. Deny before ask before allow is the same there; what its built-in tools are let do
 * without a rule, and what `Tool(…)` means, is not. An import never lets through what Claude Code would have stopped.
 */

import { pointerStep } from '../../core/json/pointer-step.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Mode } from '../../core/session.ts'
import { LIST_NAMES, type ListName } from '../language/language.ts'
import { translateClaudeRule } from './claude-rule.ts'
import {
  beginImport,
  describe,
  entryIn,
  type Imported,
  type ImportedFields,
  type Importing,
  isFields,
  quoted,
  readTexts,
  refuse,
  ruleOf,
  unknownKeys,
} from './imported.ts'

const FENCES = {
  blockReadsOutsideWorkingDirectories: 'read',
  blockWritesOutsideWorkingDirectories: 'edit',
} as const

const KEYS = [
  'defaultMode',
  ...LIST_NAMES,
  'additionalDirectories',
  'disableBypassPermissionsMode',
  'disableAutoMode',
  'denyInsteadOfPrompting',
  ...Object.keys(FENCES),
]

export function importClaudePermissions(value: unknown): Imported {
  if (!isFields(value))
    refuse(reasonOf('foreign.object', { what: 'permissions', keys: KEYS, found: describe(value) }), '')
  const importing = beginImport()
  const { note, done } = importing
  for (const key of unknownKeys(value, KEYS)) {
    note(pointerStep(key), 'dropped', reasonOf('note.unknown-key', { key: quoted(key) }))
  }
  const mode = importMode(value, importing)
  for (const list of LIST_NAMES) {
    const target = targetOf(list, mode)
    for (const [index, entry] of readTexts(value[list], `/${list}`).entries()) {
      importRule(entry.trim(), target, `/${list}/${index}`, importing)
    }
  }
  if (mode === 'dontAsk' && readTexts(value.ask, '/ask').length > 0) {
    note('/ask', 'changed', reasonOf('note.ask-denied'))
  }
  importFences(value, importing)
  importFolders(value.additionalDirectories, importing)
  note('', 'stricter', reasonOf(mode === 'dontAsk' ? 'note.claude-reads-denied' : 'note.claude-reads'))
  return done(mode === 'default' ? {} : { mode })
}

function targetOf(list: ListName, mode: Mode): ListName {
  return list === 'ask' && mode === 'dontAsk' ? 'deny' : list
}

function importRule(text: string, list: ListName, pointer: string, importing: Importing): void {
  const translation = translateClaudeRule(text, list)
  if (translation === undefined && list !== 'allow')
    refuse(reasonOf('foreign.entry', { entry: quoted(text) }), pointer)
  const {
    entries = [],
    rule,
    note,
  } = translation ?? {
    note: {
      effect: 'dropped',
      reason: reasonOf('note.no-tool', { entry: entryIn('allow', text) }),
    },
  }
  for (const entry of entries) importing.add(list, entry, pointer)
  if (rule !== undefined) importing.addRule(rule, pointer)
  if (note !== undefined) importing.note(pointer, note.effect, note.reason)
}

function importMode(value: ImportedFields, { note }: Importing): Mode {
  const named = value.defaultMode ?? 'default'
  const pointer = '/defaultMode'
  if (typeof named !== 'string')
    refuse(reasonOf('foreign.text', { what: 'defaultMode', found: describe(named) }), pointer)
  if (value.denyInsteadOfPrompting === true && named !== 'plan') {
    note('/denyInsteadOfPrompting', 'changed', reasonOf('note.instead-of-prompting'))
    return 'dontAsk'
  }
  switch (named) {
    case 'default':
    case 'manual':
      return 'default'
    case 'acceptEdits':
      note(pointer, 'stricter', reasonOf('note.accept-edits'))
      return 'acceptEdits'
    case 'plan':
      note(pointer, 'stricter', reasonOf('note.plan'))
      return 'plan'
    case 'dontAsk':
      return 'dontAsk'
    case 'bypassPermissions':
      return importBypass(value, pointer, note)
    case 'auto':
      note(pointer, 'stricter', reasonOf('note.auto'))
      return 'default'
    default:
      note(pointer, 'changed', reasonOf('note.unknown-mode', { mode: quoted(named) }))
      return 'default'
  }
}

function importBypass(value: ImportedFields, pointer: string, note: Importing['note']): Mode {
  if (value.disableBypassPermissionsMode === 'disable') {
    note(pointer, 'stricter', reasonOf('note.bypass-off'))
    return 'default'
  }
  note(pointer, 'changed', reasonOf('note.bypass'))
  return 'bypass'
}

function importFences(value: ImportedFields, { addRule }: Importing): void {
  for (const [key, kind] of Object.entries(FENCES)) {
    if (value[key] !== true) continue
    const name = kind === 'read' ? 'reading outside the workspace' : 'editing outside the workspace'
    addRule(ruleOf(name, { kind, not: { path: './**' } }, 'deny'), `/${key}`)
  }
}

function importFolders(value: unknown, { note }: Importing): void {
  const folders = readTexts(value, '/additionalDirectories')
  if (folders.length === 0) return
  note(
    '/additionalDirectories',
    'stricter',
    reasonOf('note.roots', { folders: folders.map((folder) => quoted(folder)).join(', ') }),
  )
}
