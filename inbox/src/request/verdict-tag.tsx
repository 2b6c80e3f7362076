import { useOwnWords } from '../shell/context.ts'
import type { CommandVerdict } from './line-runs.ts'
import { REQUEST_WORDS } from './words.ts'

/** What the policy says, in a sign, a word and a colour. */
export function VerdictTag({ verdict }: { verdict: CommandVerdict }) {
  const words = useOwnWords(REQUEST_WORDS).line
  return <span class={`verdict is-${verdict}`}>{words.verdict[verdict]}</span>
}
