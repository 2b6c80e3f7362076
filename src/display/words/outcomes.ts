/** What came of a call that has run. */
import type { Outcome } from '../../core/request.ts'
import { makeVisible } from '../text/visible.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export function sayOutcome(outcome: Outcome['kind'], locale: Locale): string {
  return sayCode(OUTCOMES, outcome, locale)
}

/** A request that has run, as far as it says who ran it. */
export interface RanRequest {
  agent?: { name: string }
  submittedBy: string
  outcome: Pick<Outcome, 'by' | 'settled'>
}

/** Whose word the outcome is: the agent's that ran the call, or that of a person who says what became of it. Made visible. */
export function sayOutcomeSource({ agent, submittedBy, outcome }: RanRequest, locale: Locale): string {
  const isRunner = outcome.settled !== true && outcome.by === submittedBy
  // An agent that works for a person has that person's credential, and a name of its own.
  const name = isRunner ? agent?.name : undefined
  const who = makeVisible(name ?? outcome.by).text
  if (name !== undefined) return locale === 'en' ? `run by agent ${who}` : `由智能体 ${who} 执行`
  if (isRunner) return locale === 'en' ? `run by ${who}` : `由 ${who} 执行`
  return locale === 'en' ? `reported by ${who}` : `由 ${who} 报告`
}

const OUTCOMES: CodeWords<Outcome['kind']> = {
  en: { ok: 'Done', error: 'Failed' },
  zh: { ok: '已完成', error: '执行失败' },
}
