import type { WireRequest } from '../../../src/client/index.ts'
import { sayState } from '../../../src/display/words/request-states.ts'
import { useLocale } from '../context/context.ts'

/** What became of a request, in a word and a colour. */
export function StateTag({ request: { state, outcome } }: { request: WireRequest }) {
  const locale = useLocale()
  const hasFailed = state === 'done' && outcome?.kind === 'error'
  return (
    <span class={`tag state-${hasFailed ? 'failed' : state}`}>{sayState(state, locale, outcome?.kind)}</span>
  )
}
