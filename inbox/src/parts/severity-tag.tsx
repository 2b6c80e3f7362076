import type { Severity } from '../../../src/client/index.ts'
import { useWords } from '../shell/context.ts'
import { wordFor } from '../words/words.ts'

export function SeverityTag({ severity }: { severity: Severity }) {
  return <span class={`tag severity-${severity}`}>{wordFor(useWords().severity, severity)}</span>
}
