/**
 * Claude Code's `permissions`. Deny before ask before allow is the same there; what its built-in tools are let do
 * without a rule, and what `Tool(…)` means, is not. An import never lets through what Claude Code would have stopped.
 */
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Mode } from '../../core/session.ts'
import { LIST_NAMES, type ListName } from '../language/language.ts'
import { translateClaudeRule } from './claude-rule.ts'
import {
  beginImport,
  describe,
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
    refuse(`permissions must be an object with ${KEYS.join(', ')}; found ${describe(value)}`, '')
  const importing = beginImport()
  const { note, done } = importing
  for (const key of unknownKeys(value, KEYS)) {
    note(pointerStep(key), 'dropped', `${quoted(key)} is not known here, and was not imported`)
  }
  const mode = importMode(value, importing)
  for (const list of LIST_NAMES) {
    const target = targetOf(list, mode)
    for (const [index, entry] of readTexts(value[list], `/${list}`).entries()) {
      importRule(entry.trim(), target, `/${list}/${index}`, importing)
    }
  }
  if (mode === 'dontAsk' && readTexts(value.ask, '/ask').length > 0) {
    note(
      '/ask',
      'changed',
      'in this mode Claude Code denies what ask names, so the entries of ask are in deny. If you choose another mode, move them back to ask',
    )
  }
  importFences(value, importing)
  importFolders(value.additionalDirectories, importing)
  note(
    '',
    'stricter',
    `Claude Code reads files in the workspace and runs commands that only read without a rule; here they ${mode === 'dontAsk' ? 'are denied' : 'need approval'} unless something allows them. \`extends: banksman:starter\` allows them`,
  )
  return done(mode === 'default' ? {} : { mode })
}

function targetOf(list: ListName, mode: Mode): ListName {
  return list === 'ask' && mode === 'dontAsk' ? 'deny' : list
}

function importRule(text: string, list: ListName, pointer: string, importing: Importing): void {
  const translation = translateClaudeRule(text, list)
  if (translation === undefined && list !== 'allow')
    refuse(`${quoted(text)} is neither Tool nor Tool(…), so it is unclear what it should stop`, pointer)
  const {
    entries = [],
    rule,
    note,
  } = translation ?? {
    note: {
      effect: 'dropped',
      about: `${quoted(text)} in allow is neither Tool nor Tool(…), and was left out`,
    },
  }
  for (const entry of entries) importing.add(list, entry, pointer)
  if (rule !== undefined) importing.addRule(rule, pointer)
  if (note !== undefined) importing.note(pointer, note.effect, note.about)
}

function importMode(value: ImportedFields, { note }: Importing): Mode {
  const named = value.defaultMode ?? 'default'
  const pointer = '/defaultMode'
  if (typeof named !== 'string') refuse(`defaultMode must be a text; found ${describe(named)}`, pointer)
  if (value.denyInsteadOfPrompting === true && named !== 'plan') {
    note(
      '/denyInsteadOfPrompting',
      'changed',
      'denyInsteadOfPrompting denies what would need approval, which is mode: dontAsk here',
    )
    return 'dontAsk'
  }
  switch (named) {
    case 'default':
    case 'manual':
      return 'default'
    case 'acceptEdits':
      note(
        pointer,
        'stricter',
        'acceptEdits allows edits inside the workspace, but here no shell commands such as mkdir and mv: add those that you want to allow',
      )
      return 'acceptEdits'
    case 'plan':
      note(
        pointer,
        'stricter',
        'plan allows tools that only read and denies the rest; to leave it, an approver sets the mode of the session',
      )
      return 'plan'
    case 'dontAsk':
      return 'dontAsk'
    case 'bypassPermissions':
      return importBypass(value, pointer, note)
    case 'auto':
      note(
        pointer,
        'stricter',
        'in auto a model judges each call, which is not supported here; it becomes mode: default, and a person decides',
      )
      return 'default'
    default:
      note(
        pointer,
        'changed',
        `mode ${quoted(named)} is unknown; it becomes mode: default, which requires approval`,
      )
      return 'default'
  }
}

function importBypass(value: ImportedFields, pointer: string, note: Importing['note']): Mode {
  if (value.disableBypassPermissionsMode === 'disable') {
    note(
      pointer,
      'stricter',
      'bypassPermissions is switched off by disableBypassPermissionsMode; it becomes mode: default',
    )
    return 'default'
  }
  note(
    pointer,
    'changed',
    'bypassPermissions is mode: bypass here: every call that no deny or ask matches runs without approval. Use it only on a machine with nothing else on it; `extends: banksman:starter` with mode: default is safer',
  )
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
    `list further folders of the workspace under roots:, beside policy:, as in roots: [., ${folders.map((folder) => quoted(folder)).join(', ')}]; until then they are outside`,
  )
}
