/** Why a script of a program may do more than it should: types alone, so that nothing is loaded for it. */
import type { CodeWith, PlainCode } from '../../../core/reasons/reason-of.ts'

export type ScriptReason =
  | { code: Extract<PlainCode, `script.${string}`> }
  | { code: Extract<CodeWith<'part'>, `script.${string}`>; values: { part: string } }
