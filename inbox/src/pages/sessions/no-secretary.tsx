import { WithCode } from '../../components/text/with-code.tsx'
import { useOwnWords } from '../../context/context.ts'
import { SESSIONS_WORDS } from './words/words.ts'

/** This server has no coding sessions: what they are, and what to write into the configuration. */
export function NoSecretary() {
  const { absent } = useOwnWords(SESSIONS_WORDS)
  const [write = '', trust = ''] = absent.steps
  return (
    <div class="panel no-secretary">
      <h3>{absent.title}</h3>
      <p>{absent.explain}</p>
      <ol>
        <li>
          <WithCode text={write} />
          <pre dir="ltr">{absent.example}</pre>
        </li>
        <li>
          <WithCode text={trust} />
        </li>
      </ol>
      <p class="hint">
        <WithCode text={absent.then} />
      </p>
    </div>
  )
}
