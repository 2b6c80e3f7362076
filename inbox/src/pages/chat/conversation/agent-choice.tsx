import { useOwnWords } from '../../../context/context.ts'
import { visible } from '../../../model/text/visible-line.ts'
import { CHAT_WORDS } from '../words/words.ts'

export interface AgentChoiceProps {
  /** The default one first. */
  agents: readonly string[]
  chosen: string | undefined
  choose(agent: string): void
}

/** Whom a new conversation is with. The first message fixes it. */
export function AgentChoice({ agents, chosen, choose }: AgentChoiceProps) {
  const own = useOwnWords(CHAT_WORDS)
  return (
    <label class="hint">
      {own.box.agent}{' '}
      <select value={chosen ?? agents[0]} onChange={(event) => choose(event.currentTarget.value)}>
        {agents.map((name) => (
          <option key={name} value={name}>
            {visible(name)}
          </option>
        ))}
      </select>
    </label>
  )
}
