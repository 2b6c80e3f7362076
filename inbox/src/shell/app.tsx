import { LanguageContext, ThemeContext } from '../context/context.ts'
import type { PageTheme } from '../context/theme.ts'
import type { AddressBar } from '../model/browser/address-bar.ts'
import type { Login } from '../model/login/login.ts'
import type { ScheduleFrame } from '../model/requests/request-cache.ts'
import type { LanguageChoice } from '../words/language-choice.ts'
import { Frame } from './frame.tsx'
import { LoginView } from './login-view.tsx'
import { TopBar } from './top-bar.tsx'

export interface AppProps {
  url: string
  access: Login
  address: AddressBar
  speech: LanguageChoice
  theme: PageTheme
  storage: () => Storage
  soon: ScheduleFrame
}

/** The inbox for who is in, the door for who is not. */
export function App({ url, access, address, speech, theme, storage, soon }: AppProps) {
  const state = access.state.value
  const language = speech.language.value
  return (
    <LanguageContext.Provider value={speech}>
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
            <LoginView url={url} state={state} enter={access.enter} choose={access.choose} />
          </>
        )}
      </ThemeContext.Provider>
    </LanguageContext.Provider>
  )
}
