/**
 * How a command ends when it does not end well: with exit code 1 when it was refused or failed, with 2 when it was
 * called in a way that it does not understand. One paragraph for people, or JSON for programs; no stack unless the
 * fault is ours.
 */
import { isClientError } from '../../client/index.ts'
import { isBanksmanError } from '../../core/errors.ts'
import { rendered, safeJson } from './safe-text.ts'

export const EXIT = { done: 0, failed: 1, usage: 2 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A failure of the command's own. The code is for programs that read `--json`. */
export class CommandFailure extends Error {
  readonly code: string
  readonly exit: ExitCode

  constructor(code: string, message: string, exit: ExitCode = EXIT.failed) {
    super(message)
    this.name = 'CommandFailure'
    this.code = code
    this.exit = exit
  }
}

export function usageError(message: string): CommandFailure {
  return new CommandFailure('usage', message, EXIT.usage)
}

export interface ToldFailure {
  exit: ExitCode
  text: string
}

export function tellFailure(error: unknown, format: 'text' | 'json'): ToldFailure {
  const { code, message, exit, details } = describe(error)
  const text =
    format === 'json'
      ? safeJson({ error: { code, message, ...details } })
      : `banksman: ${rendered(withoutSecrets(message))}`
  return { exit, text }
}

/** Whatever ends up in a log or on a screen, a credential does not. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/\b(bm[apl])_[A-Za-z0-9_-]{20,}/g, '$1_…')
    .replace(/\b((?:postgres(?:ql)?|rediss?):\/\/)[^\s@]*@/gi, '$1…@')
}

interface Described {
  code: string
  message: string
  exit: ExitCode
  details?: Record<string, unknown>
}

function describe(error: unknown): Described {
  if (error instanceof CommandFailure) return error
  if (isBanksmanError(error)) {
    return { code: error.code, message: error.message, exit: EXIT.failed, details: { ...error.details } }
  }
  if (isClientError(error)) {
    return { code: error.code, message: error.detail, exit: EXIT.failed, details: { problem: error.problem } }
  }
  const { code, path, message } = (error ?? {}) as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return { code, message: fileFailure(code, path) ?? message, exit: EXIT.failed }
  }
  // What comes here was not foreseen: whoever reports it needs to know where it happened.
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: 'internal', message: `unexpected error: ${stack}`, exit: EXIT.failed }
}

function fileFailure(code: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  switch (code) {
    case 'ENOENT':
      return `there is no ${path}`
    case 'EACCES':
    case 'EPERM':
      return `${path}: permission denied; check its owner and mode`
    case 'EISDIR':
      return `${path} is a folder; a file is needed`
    case 'ENOTDIR':
      return `${path}: a part of this path is a file; a folder is needed`
    case 'ENOSPC':
      return `${path}: the disk is full`
    case 'EROFS':
      return `${path}: the disk is read-only`
    case 'EEXIST':
      return `${path} already exists`
    default:
      return undefined
  }
}
