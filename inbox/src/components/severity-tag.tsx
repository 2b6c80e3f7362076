import type { Severity } from '../../../src/client/index.ts'
import { saySeverity } from '../../../src/display/words/severities.ts'
import { useLocale } from '../context/context.ts'

/** What is as usual need not be said. */
export function SeverityTag({ severity }: { severity: Severity }) {
  const locale = useLocale()
  if (severity === 'normal') return null
  return <span class={`tag severity-${severity}`}>{saySeverity(severity, locale)}</span>
}
