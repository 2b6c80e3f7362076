/** What one entry of Claude Code's lists comes to, and what becomes of one that has no equal here. */
import type { ListName, RuleBlock } from '../language/language.ts'
import { type Note, quoted } from './imported.ts'

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
  readonly note?: Pick<Note, 'effect' | 'about'>
}

/** Leaves it out of `allow`, and puts the whole tool into the others. */
export function widened({ text, tool, list }: ClaudeRule, because: string): ClaudeTranslation {
  if (list === 'allow') {
    return { note: { effect: 'dropped', about: `${quoted(text)} in allow ${because}; it was left out` } }
  }
  const about = `${quoted(text)} in ${list} ${because}; it is about every call of ${tool} here`
  return { entries: [tool], note: { effect: 'stricter', about } }
}
