/** What came of a call that has run. */
import type { Outcome } from '../../core/request.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export function sayOutcome(outcome: Outcome['kind'], locale: Locale): string {
  return sayCode(OUTCOMES, outcome, locale)
}

const OUTCOMES: CodeWords<Outcome['kind']> = {
  en: { ok: 'Done', error: 'Failed' },
  zh: { ok: '已完成', error: '执行失败' },
}
