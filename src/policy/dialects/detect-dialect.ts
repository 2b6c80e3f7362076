/**
 * Finds out which program a policy was written for, by the keys that only that program's files have. Where none is
 * there, or several are, nothing is guessed: the wrong reading of a list could allow what it was meant to stop.
 */

import { BanksmanError } from '../../core/errors.ts'
import { pointerStep } from '../../core/json/pointer-step.ts'
import { sayInEnglish } from '../../core/reasons/english.ts'
import { type PlainCode, reasonOf } from '../../core/reasons/reason-of.ts'
import { reasonedError } from '../../core/reasons/reasoned-error.ts'
import { LIST_NAMES } from '../language/language.ts'
import { importClaudePermissions } from './claude-permissions.ts'
import { importCodexRules } from './codex-rules.ts'
import { type Imported, type ImportedFields, isFields, type Note, quoted } from './imported.ts'
import { importOpencodePermission } from './opencode-permission.ts'
import { importToolApproval, TOOL_APPROVAL_KEYS } from './tool-approval.ts'
import { importToolApprovalMode } from './tool-approval-mode.ts'

export type Dialect = 'librechat' | 'claude-code' | 'codex' | 'opencode' | 'react-plus'

export const DIALECTS: readonly Dialect[] = ['librechat', 'claude-code', 'codex', 'opencode', 'react-plus']

export interface Detected {
  dialect: Dialect
  /** Where in the file the dialect's own value stands. */
  pointer: string
  value: unknown
}

/** @param from The only dialect that is looked for. */
export function detectDialect(file: unknown, from?: Dialect): Detected {
  const wanted = from === undefined ? DIALECTS : [from]
  const found = wanted.flatMap((dialect) => FIND[dialect](file, from !== undefined))
  const [first, ...others] = found
  if (first === undefined) {
    const places = wanted.map((dialect) => LOOKED_FOR[dialect]).join('; ')
    throw reasonedError('invalid_policy', reasonOf('import.none', { places }), { pointer: '' })
  }
  if (others.some(({ dialect }) => dialect !== first.dialect)) {
    const named = found.map(({ dialect, pointer }) => (pointer === '' ? dialect : `${dialect}: ${pointer}`))
    throw reasonedError('invalid_policy', reasonOf('import.several', { found: named.join(', ') }), {
      pointer: '',
    })
  }
  const other = others.find(({ value }) => value !== first.value)
  if (other !== undefined) {
    const named = found.map(({ pointer, value }) => `${pointer}: ${quoted(String(value))}`)
    throw reasonedError('invalid_policy', reasonOf('import.differ', { found: named.join(', ') }), {
      pointer: other.pointer,
    })
  }
  return first
}

const IMPORT: Readonly<Record<Dialect, (value: unknown) => Imported>> = {
  librechat: importToolApproval,
  'claude-code': importClaudePermissions,
  codex: importCodexRules,
  opencode: importOpencodePermission,
  'react-plus': importToolApprovalMode,
}

/** The import, with every pointer from the top of the file, and what else is in the file but is no policy. */
export function importDetected({ dialect, pointer, value }: Detected, file?: unknown): Imported {
  const { block, notes, origins } = placed(() => IMPORT[dialect](value), pointer)
  return { block, notes: [...notes, ...besides(file, BESIDES[dialect] ?? {})], origins }
}

function placed(read: () => Imported, prefix: string): Imported {
  try {
    const { block, notes, origins } = read()
    return {
      block,
      notes: notes.map((note) => ({ ...note, pointer: prefix + note.pointer })),
      origins: Object.fromEntries(Object.entries(origins).map(([to, from]) => [to, prefix + from])),
    }
  } catch (error) {
    if (!(error instanceof BanksmanError)) throw error
    throw new BanksmanError(error.code, error.message, {
      ...error.details,
      pointer: prefix + String(error.details.pointer ?? ''),
    })
  }
}

const LOOKED_FOR: Readonly<Record<Dialect, string>> = {
  librechat: 'endpoints.agents.toolApproval or toolApproval (LibreChat)',
  'claude-code': 'permissions (Claude Code)',
  codex: 'prefix_rule(…) (Codex)',
  opencode: 'permission (opencode)',
  'react-plus': 'toolApprovalMode at any depth (ReAct-Plus)',
}

type Find = (file: unknown, isNamed: boolean) => Detected[]

const FIND: Readonly<Record<Dialect, Find>> = {
  librechat(file, isNamed) {
    const detected = (pointer: string, value: unknown): Detected[] => [
      { dialect: 'librechat', pointer, value },
    ]
    if (!isFields(file)) return []
    const agents = isFields(file.endpoints) ? file.endpoints.agents : undefined
    if (isFields(agents) && 'toolApproval' in agents)
      return detected('/endpoints/agents/toolApproval', agents.toolApproval)
    if ('toolApproval' in file) return detected('/toolApproval', file.toolApproval)
    const keys = Object.keys(file)
    // Lists alone could be anyone's.
    const isBlock = isNamed
      ? keys.some((key) => TOOL_APPROVAL_KEYS.includes(key))
      : keys.includes('enabled') && keys.every((key) => TOOL_APPROVAL_KEYS.includes(key))
    return isBlock ? detected('', file) : []
  },
  'claude-code'(file, isNamed) {
    if (!isFields(file)) return []
    if (isFields(file.permissions))
      return [{ dialect: 'claude-code', pointer: '/permissions', value: file.permissions }]
    const own = isNamed ? ['defaultMode', ...LIST_NAMES] : ['defaultMode', 'additionalDirectories']
    return own.some((key) => key in file) ? [{ dialect: 'claude-code', pointer: '', value: file }] : []
  },
  codex: (file, isNamed) =>
    typeof file === 'string' && (isNamed || /^\s*prefix_rule\s*\(/m.test(file))
      ? [{ dialect: 'codex', pointer: '', value: file }]
      : [],
  opencode(file, isNamed) {
    if (!isFields(file)) return []
    if ('permission' in file) return [{ dialect: 'opencode', pointer: '/permission', value: file.permission }]
    return isNamed ? [{ dialect: 'opencode', pointer: '', value: file }] : []
  },
  'react-plus': (file, isNamed) =>
    isNamed && typeof file === 'string'
      ? [{ dialect: 'react-plus', pointer: '', value: file }]
      : modesIn(file, '', 0),
}

const MAX_DEPTH = 30

/** Spring takes `tool-approval-mode` and `TOOLAPPROVALMODE` for the same property, under whatever prefix. */
function modesIn(value: unknown, pointer: string, depth: number): Detected[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return []
  return Object.entries(value as ImportedFields).flatMap(([key, member]): Detected[] => {
    const at = pointer + pointerStep(key)
    const isMode = key.toLowerCase().replaceAll(/[-_]/g, '') === 'toolapprovalmode'
    return isMode ? [{ dialect: 'react-plus', pointer: at, value: member }] : modesIn(member, at, depth + 1)
  })
}

/** What stands beside the policy in a program's settings and stops or lets through as well. */
const BESIDES: Partial<Record<Dialect, Readonly<Record<string, PlainCode>>>> = {
  'claude-code': { hooks: 'beside.hooks', sandbox: 'beside.sandbox', env: 'beside.env' },
  opencode: {
    agent: 'beside.agent',
    mode: 'beside.mode',
    tools: 'beside.tools',
    plugin: 'beside.plugin',
  },
}

function besides(file: unknown, about: Readonly<Record<string, PlainCode>>): Note[] {
  if (!isFields(file)) return []
  return Object.entries(about)
    .filter(([key]) => key in file)
    .map(([key, code]) => {
      const reason = reasonOf(code)
      return { pointer: `/${key}`, about: sayInEnglish(reason), reason, effect: 'dropped' as const }
    })
}
