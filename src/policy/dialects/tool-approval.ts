/**
 * LibreChat's `toolApproval`. Its lists are ours: `*` is the only wildcard, deny before ask before allow before the
 * mode. What differs is said in notes.
 */
import { defined } from '../../core/defined.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import type { Mode } from '../../core/session.ts'
import { LIST_NAMES } from '../language/language.ts'
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
  unknownKeys,
} from './imported.ts'

export const TOOL_APPROVAL_KEYS: readonly string[] = ['enabled', 'mode', ...LIST_NAMES, 'reason', 'hooks']
const SAME_MODES: readonly unknown[] = ['default', 'dontAsk', 'bypass']
const MAX_REASON = 1000

export function importToolApproval(value: unknown): Imported {
  if (!isFields(value))
    refuse(
      `toolApproval must be an object with ${TOOL_APPROVAL_KEYS.join(', ')}; found ${describe(value)}`,
      '',
    )
  const importing = beginImport()
  const { note, done } = importing
  for (const key of unknownKeys(value, TOOL_APPROVAL_KEYS)) {
    note(
      pointerStep(key),
      'dropped',
      `${quoted(key)} is not a key of toolApproval, and LibreChat ignored it too`,
    )
  }
  if (value.enabled !== true) {
    note(
      '/enabled',
      'stricter',
      'enabled is not true, so LibreChat ran every tool without approval. Here a policy always applies: the lists and the mode are in force. To allow what no list names, write mode: bypass',
    )
  }
  const mode = importMode(value.mode, importing)
  importLists(value, mode, importing)
  const reason = importReason(value, mode, importing)
  if (value.hooks !== undefined && value.hooks !== null) {
    note(
      '/hooks',
      'dropped',
      'hooks are programs, not a policy, and were not imported. They could only deny or ask: put what they stopped into deny, ask or rules',
    )
  }
  return done({ ...(mode === 'default' ? {} : { mode }), ...defined({ reason }) })
}

function importMode(value: unknown, { note }: Importing): Mode {
  if (value === undefined || value === null) return 'default'
  if (SAME_MODES.includes(value)) return value as Mode
  if (typeof value !== 'string') refuse(`mode must be a text; found ${describe(value)}`, '/mode')
  note(
    '/mode',
    'changed',
    `LibreChat has no mode ${quoted(value)} and treated it as default; it becomes default here`,
  )
  return 'default'
}

function importLists(value: ImportedFields, mode: Mode, importing: Importing): void {
  const { note, add } = importing
  for (const list of LIST_NAMES) {
    for (const [index, pattern] of readTexts(value[list], `/${list}`).entries()) {
      const pointer = `/${list}/${index}`
      const written = `${quoted(pattern)} in ${list}`
      if (pattern === '') {
        note(pointer, 'dropped', `an empty entry in ${list} names no tool, and was left out`)
        continue
      }
      if (isSpecifier(pattern)) {
        if (list === 'allow') {
          note(
            pointer,
            'dropped',
            `${written} was the literal name of a tool, while here the parentheses are about the tool's arguments, which would allow more; it was left out`,
          )
          continue
        }
        note(
          pointer,
          'stricter',
          `${written} was the literal name of a tool; here, if the word before the parentheses is a known tool, it is about the arguments of that tool`,
        )
      }
      const server = /^mcp:([^:*]+):/.exec(pattern)?.[1]
      if (server !== undefined) {
        note(
          pointer,
          'changed',
          `${written} matches no tool of an MCP server in LibreChat: their names are like search_mcp_${server}; write "*_mcp_${server}" for all of that server`,
        )
      }
      add(list, pattern, pointer)
      // There a tool that is named in ask is asked about whatever the mode; here dontAsk denies what allow does not name.
      if (list === 'ask' && mode === 'dontAsk') add('allow', pattern, pointer)
    }
  }
  if (mode === 'dontAsk' && readTexts(value.ask, '/ask').length > 0) {
    note(
      '/ask',
      'changed',
      'in mode: dontAsk only calls that allow names can need approval, so the entries of ask are in allow as well. If you remove one from ask, remove it from allow too',
    )
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
  note(
    '/allow',
    'stricter',
    `in LibreChat its own ${QUESTION_TOOL} never needs approval; add it to allow if your agent has it`,
  )
}

function importReason(value: ImportedFields, mode: Mode, { note }: Importing): string | undefined {
  const { reason } = value
  if (reason === undefined || reason === null || reason === '') return undefined
  if (typeof reason !== 'string') refuse(`reason must be a text; found ${describe(reason)}`, '/reason')
  if (reason.trim() === '' || reason.length > MAX_REASON) {
    const why = reason.trim() === '' ? 'is only spaces' : `is longer than ${MAX_REASON} characters`
    note('/reason', 'dropped', `the reason ${why}, and was left out`)
    return undefined
  }
  if (mode === 'dontAsk' || readTexts(value.deny, '/deny').length > 0) {
    note(
      '/reason',
      'changed',
      'the reason is shown when a call needs approval; a denial names the rule that denied. For another text write a rule with then: deny and its own reason',
    )
  }
  return reason
}
