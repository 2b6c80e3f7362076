/** What one entry of Claude Code's lists comes to, and what becomes of one that has no equal here. */
import type { Reason } from '../../core/reasons/reason.ts'
import { reasonOf } from '../../core/reasons/reason-of.ts'
import type { ListName, RuleBlock } from '../language/language.ts'
import { entryIn, type Note } from './imported.ts'

export interface ClaudeRule {
  /** As it was written. */
  readonly text: string
  readonly tool: string
  readonly specifier: string
  readonly list: ListName
}

/** What an entry comes to. */
export interface ClaudeTranslation {
  /** What goes into the list. */
  readonly entries?: readonly string[]
  readonly rule?: RuleBlock
  readonly note?: Pick<Note, 'effect' | 'reason'>
}

/** Leaves it out of `allow`, and puts the whole tool into the others. */
export function widened({ text, tool, list }: ClaudeRule, why: Reason): ClaudeTranslation {
  const entry = entryIn(list, text)
  if (list === 'allow') {
    return { note: { effect: 'dropped', reason: reasonOf('note.left-out', { entry, why }) } }
  }
  const reason = reasonOf('note.widened', { entry, why, tool })
  return { entries: [tool], note: { effect: 'stricter', reason } }
}
