import type { Severity } from '../../../src/client/index.ts'
import { wordFor } from '../words/words.ts'
import { useWords } from './context.ts'

export function SeverityTag({ severity }: { severity: Severity }) {
  return <span class={`tag severity-${severity}`}>{wordFor(useWords().severity, severity)}</span>
}
