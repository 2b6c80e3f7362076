/**
 * Which program a word names. The last name of a path is what rules know a program by; a path into any but the
 * system's own folders is a doubt, because anyone may have put something there under that name.
 */

import { posix } from 'node:path'
import { needsEscapes } from '../../../core/support/quote-word.ts'
import type { ShellWord } from '../reading.ts'
import type { InnerDoubt } from './inner-command.ts'
import type { DoubtCode } from './why-doubted.ts'
import { isFixed } from './word-values.ts'

export interface ProgramName {
  readonly program: string | undefined
  readonly path: string | undefined
  readonly doubt: InnerDoubt | undefined
}

const SYSTEM_FOLDERS: ReadonlySet<string> = new Set([
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/opt/homebrew/bin',
  '/snap/bin',
])

export function nameProgram(word: ShellWord): ProgramName {
  if (!isFixed(word)) return nameless(word, 'part.program-late')
  const { value } = word
  if (needsEscapes(value))
    return named(value.slice(value.lastIndexOf('/') + 1), {
      kind: 'control character',
      text: word.text,
      why: 'part.invisible',
    })
  if (!value.includes('/')) return value === '' ? nameless(word, 'part.programless') : named(value, undefined)
  const name = value.slice(value.lastIndexOf('/') + 1)
  if (name === '' || name === '.' || name === '..') return nameless(word, 'part.programless')
  if (isSystemFolder(posix.dirname(value))) return { program: name, path: value, doubt: undefined }
  const why = 'part.program-by-path'
  return { program: name, path: value, doubt: { kind: 'program by path', text: word.text, why } }
}

export function isSystemFolder(folder: string): boolean {
  return SYSTEM_FOLDERS.has(folder)
}

function named(program: string, doubt: InnerDoubt | undefined): ProgramName {
  return { program, path: undefined, doubt }
}

function nameless(word: ShellWord, why: DoubtCode): ProgramName {
  return { program: undefined, path: undefined, doubt: { kind: 'unknown program', text: word.text, why } }
}
