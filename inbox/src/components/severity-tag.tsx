import type { Severity } from '../../../src/client/index.ts'
import { useWords } from '../context/context.ts'
import { wordFor } from '../words/words.ts'

/** What is as usual need not be said. */
export function SeverityTag({ severity }: { severity: Severity }) {
  const words = useWords()
  if (severity === 'normal') return null
  return <span class={`tag severity-${severity}`}>{wordFor(words.severity, severity)}</span>
}
