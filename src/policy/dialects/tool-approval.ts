/**
 * LibreChat's `toolApproval`. Its lists are ours: `*` is the only wildcard, deny before ask before allow before the
 * mode. What differs is said in notes.
 */

import { defined } from '../../core/defined.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { Mode } from '../../core/session.ts'
import { LIST_NAMES } from '../language/language.ts'
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
  unknownKeys,
} from './imported.ts'

export const TOOL_APPROVAL_KEYS: readonly string[] = ['enabled', 'mode', ...LIST_NAMES, 'reason', 'hooks']
const SAME_MODES: readonly unknown[] = ['default', 'dontAsk', 'bypass']
const MAX_REASON = 1000

export function importToolApproval(value: unknown): Imported {
  if (!isFields(value))
    refuse(
      reasonOf('foreign.object', {
        what: 'toolApproval',
        keys: TOOL_APPROVAL_KEYS,
        found: describe(value),
      }),
      '',
    )
  const importing = beginImport()
  const { note, done } = importing
  for (const key of unknownKeys(value, TOOL_APPROVAL_KEYS)) {
    note(pointerStep(key), 'dropped', reasonOf('note.not-a-key', { key: quoted(key) }))
  }
  if (value.enabled !== true) {
    note('/enabled', 'stricter', reasonOf('note.not-enabled'))
  }
  const mode = importMode(value.mode, importing)
  importLists(value, mode, importing)
  const reason = importReason(value, mode, importing)
  if (value.hooks !== undefined && value.hooks !== null) {
    note('/hooks', 'dropped', reasonOf('note.hooks'))
  }
  return done({ ...(mode === 'default' ? {} : { mode }), ...defined({ reason }) })
}

function importMode(value: unknown, { note }: Importing): Mode {
  if (value === undefined || value === null) return 'default'
  if (SAME_MODES.includes(value)) return value as Mode
  if (typeof value !== 'string')
    refuse(reasonOf('foreign.text', { what: 'mode', found: describe(value) }), '/mode')
  note('/mode', 'changed', reasonOf('note.librechat-mode', { mode: quoted(value) }))
  return 'default'
}

function importLists(value: ImportedFields, mode: Mode, importing: Importing): void {
  const { note, add } = importing
  for (const list of LIST_NAMES) {
    for (const [index, pattern] of readTexts(value[list], `/${list}`).entries()) {
      const pointer = `/${list}/${index}`
      const entry = entryIn(list, pattern)
      if (pattern === '') {
        note(pointer, 'dropped', reasonOf('note.empty-entry', { list }))
        continue
      }
      if (isSpecifier(pattern)) {
        if (list === 'allow') {
          note(pointer, 'dropped', reasonOf('note.literal-allow', { entry }))
          continue
        }
        note(pointer, 'stricter', reasonOf('note.literal', { entry }))
      }
      const server = /^mcp:([^:*]+):/.exec(pattern)?.[1]
      if (server !== undefined) {
        note(
          pointer,
          'changed',
          reasonOf('note.mcp', { entry, name: `search_mcp_${server}`, right: `"*_mcp_${server}"` }),
        )
      }
      add(list, pattern, pointer)
      // There a tool that is named in ask is asked about whatever the mode; here dontAsk denies what allow does not name.
      if (list === 'ask' && mode === 'dontAsk') add('allow', pattern, pointer)
    }
  }
  if (mode === 'dontAsk' && readTexts(value.ask, '/ask').length > 0) {
    note('/ask', 'changed', reasonOf('note.ask-allowed'))
  }
  noteOwnQuestions(value, mode, importing)
}

/** `Name(…)`, which is a specifier here if the catalogue knows the name. */
function isSpecifier(pattern: string): boolean {
  return /^[^()*]+\(.*\)$/s.test(pattern)
}

const QUESTION_TOOL = 'ask_user_question'

function noteOwnQuestions(value: ImportedFields, mode: Mode, { note }: Importing): void {
  const lists = LIST_NAMES.flatMap((list) => readTexts(value[list], `/${list}`))
  if (mode === 'bypass' || lists.some((pattern) => pattern === QUESTION_TOOL || pattern === '*')) return
  note('/allow', 'stricter', reasonOf('note.question-tool', { tool: QUESTION_TOOL }))
}

function importReason(value: ImportedFields, mode: Mode, { note }: Importing): string | undefined {
  const { reason } = value
  if (reason === undefined || reason === null || reason === '') return undefined
  if (typeof reason !== 'string')
    refuse(reasonOf('foreign.text', { what: 'reason', found: describe(reason) }), '/reason')
  if (reason.trim() === '' || reason.length > MAX_REASON) {
    const isBlank = reason.trim() === ''
    note(
      '/reason',
      'dropped',
      isBlank ? reasonOf('note.reason-blank') : reasonOf('note.reason-long', { limit: MAX_REASON }),
    )
    return undefined
  }
  if (mode === 'dontAsk' || readTexts(value.deny, '/deny').length > 0) {
    note('/reason', 'changed', reasonOf('note.reason'))
  }
  return reason
}
