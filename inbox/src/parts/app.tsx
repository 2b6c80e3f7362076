import type { Access } from '../model/access.ts'
import type { Address } from '../model/address.ts'
import type { Speech } from '../words/speech.ts'
import { SpeechContext } from './context.ts'
import { InboxView } from './inbox-view.tsx'
import { LoginView } from './login-view.tsx'
import { TopBar } from './top-bar.tsx'

export interface AppProps {
  url: string
  access: Access
  address: Address
  speech: Speech
}

/** The inbox for who is in, the door for who is not. */
export function App({ url, access, address, speech }: AppProps) {
  const state = access.state.value
  const language = speech.language.value
  return (
    <SpeechContext.Provider value={speech}>
      {state.kind === 'in' ? (
        <InboxView
          key={`${state.key} ${language}`}
          parts={{
            url,
            token: state.key,
            language,
            identity: state.identity,
            address,
            onLeave: access.leave,
          }}
        />
      ) : (
        <>
          <TopBar />
          <LoginView state={state} enter={access.enter} />
        </>
      )}
    </SpeechContext.Provider>
  )
}
