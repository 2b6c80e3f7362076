import type { WireRequest } from '../../../src/client/index.ts'
import { FoldedSpans } from '../components/text/folded-spans.tsx'
import { serverTextSpans } from '../components/text/server-text-spans.ts'
import { useOwnWords } from '../context/context.ts'
import { REASON_LIMITS } from './call/fold-limits.ts'
import { REQUEST_WORDS } from './words/words.ts'

/** What the agent says of its own call. It is set apart, because nobody has checked it. */
export function AgentWords({ request: { context, preview } }: { request: WireRequest }) {
  const words = useOwnWords(REQUEST_WORDS).doing
  const said = [preview, context].filter((text) => text !== undefined && text.trim() !== '')
  if (said.length === 0) return null
  return (
    <figure class="agent-words">
      <figcaption class="hint">{words.agentSays}</figcaption>
      {said.map((text) => (
        <blockquote key={text}>
          <FoldedSpans spans={serverTextSpans(text!, { lines: 'keep' })} room={REASON_LIMITS} />
        </blockquote>
      ))}
    </figure>
  )
}
