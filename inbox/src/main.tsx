/** Starts the page. A login code leaves the address bar before anything else is done with it. */
import { render } from 'preact'
import { createPageTheme } from './context/theme.ts'
import { createAddressBar } from './model/browser/address-bar.ts'
import { onNextFrame } from './model/browser/next-frame.ts'
import { createKeyStore } from './model/login/key-store.ts'
import { createLogin } from './model/login/login.ts'
import { App } from './shell/app.tsx'
import { createLanguageChoice } from './words/language-choice.ts'

const address = createAddressBar(window)
const code = address.takeLoginCode()
// The page may be served under a path of a proxy: the server is wherever the page is.
const url = new URL('.', location.href).href
const storage = () => localStorage
const access = createLogin(url, createKeyStore(storage))

address.onLoginLink(() => {
  const later = address.takeLoginCode()
  if (later !== undefined) void access.enter(later)
})
void access.enter(code)

const place = document.getElementById('app')
if (place !== null) {
  const speech = createLanguageChoice(window)
  const theme = createPageTheme(window)
  render(<App {...{ url, access, address, speech, theme, storage }} soon={onNextFrame} />, place)
}
