import type { WireRequest } from '../../../src/client/index.ts'
import { useWords } from '../context/context.ts'
import { wordFor } from '../words/words.ts'

/** What became of a request, in a word and a colour. */
export function StateTag({ request: { state, outcome } }: { request: WireRequest }) {
  const words = useWords()
  const hasFailed = state === 'done' && outcome?.kind === 'error'
  return (
    <span class={`tag state-${hasFailed ? 'failed' : state}`}>
      {outcome === undefined ? wordFor(words.state, state) : words.result.outcome(outcome.kind === 'ok')}
    </span>
  )
}
