/** How risky a call is. */
import type { Severity } from '../../core/verdict.ts'
import { type CodeWords, sayCode } from './code-words.ts'
import type { Locale } from './rendering-words.ts'

export function saySeverity(severity: Severity, locale: Locale): string {
  return sayCode(SEVERITY_WORDS, severity, locale)
}

/** At the beginning of a line, with what makes it so: `High risk: downloads and runs a script`. */
export function sayRisk(severity: Severity, cause: string | undefined, locale: Locale): string {
  const said = saySeverity(severity, locale)
  const begun = `${said[0]!.toUpperCase()}${said.slice(1)}`
  return cause === undefined ? begun : `${begun}${locale === 'zh' ? '：' : ': '}${cause}`
}

const SEVERITY_WORDS: CodeWords<Severity> = {
  en: { low: 'low risk', normal: 'normal risk', high: 'high risk', critical: 'critical risk' },
  zh: { low: '低风险', normal: '一般风险', high: '高风险', critical: '极高风险' },
}
