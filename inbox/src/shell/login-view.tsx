import { useState } from 'preact/hooks'
import { FailureNote } from '../components/failure-note.tsx'
import { WithCode } from '../components/text/with-code.tsx'
import { useWords } from '../context/context.ts'
import type { Login, LoginState } from '../model/login/login.ts'
import { visible } from '../model/text/visible-line.ts'

export interface LoginViewProps {
  /** The address of this page, which a person who asks for a link has to name. */
  url: string
  state: Exclude<LoginState, { kind: 'in' }>
  enter: Login['enter']
  choose: Login['choose']
}

/** The door: a code opens it once. */
export function LoginView({ url, state, enter, choose }: LoginViewProps) {
  const words = useWords()
  const [code, setCode] = useState('')
  if (state.kind === 'checking') return <p class="hint centre">{words.loading}</p>
  if (state.kind === 'asked') {
    return (
      <main class="door">
        <h2>{words.login.asked(visible(state.identity.subject))}</h2>
        <p class="hint">{words.login.askedHint}</p>
        <button type="button" class="primary" onClick={() => void choose('stay')}>
          {words.login.stay(visible(state.identity.subject))}
        </button>
        <button type="button" onClick={() => void choose('link')}>
          {words.login.useLink}
        </button>
      </main>
    )
  }
  if (state.kind === 'unsure') {
    return (
      <main class="door">
        <FailureNote error={state.error} />
        <button type="button" class="primary" onClick={() => void enter()}>
          {words.login.again}
        </button>
      </main>
    )
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const text = codeIn(code)
    if (text !== '') void enter(text)
  }
  return (
    <main class="door">
      <h2>{words.login.title}</h2>
      <p>{words.login.link}</p>
      <dl class="stacked">
        <div>
          <dt>{words.login.yours}</dt>
          <dd>
            <WithCode text={words.login.yoursHow} />
          </dd>
        </div>
        <div>
          <dt>{words.login.others}</dt>
          <dd>
            {words.login.othersHow}
            <p class="quote">
              <WithCode text={words.login.request(visible(url))} />
            </p>
          </dd>
        </div>
      </dl>
      {state.error === undefined ? null : <FailureNote error={state.error} />}
      <form onSubmit={submit}>
        <label for="code">{words.login.code}</label>
        <input
          id="code"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={codeIn(code) === ''}>
          {words.login.submit}
        </button>
      </form>
    </main>
  )
}

/** People paste the whole link as often as the code. */
function codeIn(text: string): string {
  const trimmed = text.trim()
  const at = trimmed.indexOf('login=')
  return at === -1 ? trimmed : (new URLSearchParams(trimmed.slice(at)).get('login') ?? '')
}
