import { WithCode } from '../../components/text/with-code.tsx'
import { useOwnWords } from '../../context/context.ts'
import { CHAT_WORDS } from './words/words.ts'

/** There is nobody to talk to: how to change that. */
export function NoAgent() {
  const { noAgent } = useOwnWords(CHAT_WORDS)
  return (
    <div class="page">
      <h2>{noAgent.title}</h2>
      <p>{noAgent.explain}</p>
      <ul class="no-agent">
        {noAgent.steps.map((step) => (
          <li key={step}>
            <WithCode text={step} />
          </li>
        ))}
      </ul>
    </div>
  )
}
