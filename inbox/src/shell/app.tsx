import type { Access } from '../model/access.ts'
import type { Address } from '../model/address.ts'
import type { Soon } from '../model/board.ts'
import type { Speech } from '../words/speech.ts'
import { SpeechContext, ThemeContext } from './context.ts'
import { Frame } from './frame.tsx'
import { LoginView } from './login-view.tsx'
import type { Theme } from './theme.ts'
import { TopBar } from './top-bar.tsx'

export interface AppProps {
  url: string
  access: Access
  address: Address
  speech: Speech
  theme: Theme
  storage: () => Storage
  soon: Soon
}

/** The inbox for who is in, the door for who is not. */
export function App({ url, access, address, speech, theme, storage, soon }: AppProps) {
  const state = access.state.value
  const language = speech.language.value
  return (
    <SpeechContext.Provider value={speech}>
      <ThemeContext.Provider value={theme}>
        {state.kind === 'in' ? (
          <Frame
            key={`${state.key} ${language}`}
            parts={{
              url,
              token: state.key,
              language,
              identity: state.identity,
              address,
              storage,
              soon,
              onLeave: access.leave,
            }}
          />
        ) : (
          <>
            <TopBar />
            <LoginView state={state} enter={access.enter} choose={access.choose} />
          </>
        )}
      </ThemeContext.Provider>
    </SpeechContext.Provider>
  )
}
