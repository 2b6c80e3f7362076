import type { WireRequest } from '../../../src/client/index.ts'
import { useWords } from './context.ts'

/** What the agent says of its own call. It is set apart, because nobody has checked it. */
export function AgentWords({ request: { context, preview } }: { request: WireRequest }) {
  const words = useWords()
  if (context === undefined && preview === undefined) return null
  return (
    <section class="agent-words">
      <h3>{words.call.agentSays}</h3>
      <dl>
        {preview === undefined ? null : (
          <div>
            <dt>{words.call.preview}</dt>
            <dd>{preview}</dd>
          </div>
        )}
        {context === undefined ? null : (
          <div>
            <dt>{words.call.context}</dt>
            <dd>{context}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
