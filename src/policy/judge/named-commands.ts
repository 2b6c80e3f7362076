/** What may be said of a command or a line on the record: nothing that may be a secret. */

import type { Reason } from '../../core/reasons/reason.ts'
import { type PlainCode, reasonOf } from '../../core/reasons/reason-of.ts'
import type { DoubtKind } from '../shell/reading.ts'

/** What can't be checked about a line, without its text. */
export function doubtReason(kind: DoubtKind): Reason {
  return reasonOf(DOUBT_CODES[kind])
}

const DOUBT_CODES = {
  unparsable: 'doubt.unparsable',
  'too long': 'doubt.too-long',
  'control character': 'doubt.control-character',
  'unknown program': 'doubt.unknown-program',
  'program by path': 'doubt.program-by-path',
  assignment: 'doubt.assignment',
  'inline code': 'doubt.inline-code',
  expansion: 'doubt.expansion',
  connection: 'doubt.connection',
  redefinition: 'doubt.redefinition',
  'unknown wrapper': 'doubt.unknown-wrapper',
} as const satisfies Readonly<Record<DoubtKind, PlainCode>>

/** A program with its sub-command, where both are plain names. */
export function nameCommand(program: string | undefined, sub: string | undefined): string | undefined {
  if (program === undefined || !/^[\w.+-]{1,40}$/.test(program)) return undefined
  return /^[a-z][a-z-]{1,19}$/.test(sub ?? '') ? `${program} ${sub}` : program
}
