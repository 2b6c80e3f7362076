import { useOwnWords } from '../../context/context.ts'
import { REQUEST_WORDS } from '../words/words.ts'
import type { CommandMark } from './line-runs.ts'

/** What the policy says, in a sign, a word and a colour. */
export function VerdictTag({ verdict }: { verdict: CommandMark }) {
  const words = useOwnWords(REQUEST_WORDS).line
  return <span class={`verdict is-${verdict}`}>{words.verdict[verdict]}</span>
}
