/** Starts the page. A login code leaves the address bar before anything else is done with it. */
import { render } from 'preact'
import { createAccess } from './model/access.ts'
import { createAddress } from './model/address.ts'
import { createKeyStore } from './model/key-store.ts'
import { soonInPage } from './model/soon.ts'
import { registerWorker } from './model/worker.ts'
import { App } from './shell/app.tsx'
import { createTheme } from './shell/theme.ts'
import { createSpeech } from './words/speech.ts'

const address = createAddress(window)
const code = address.takeLoginCode()
// The page may be served under a path of a proxy: the server is wherever the page is.
const url = new URL('.', location.href).href
const storage = () => localStorage
const access = createAccess(url, createKeyStore(storage))

address.onLoginLink(() => {
  const later = address.takeLoginCode()
  if (later !== undefined) void access.enter(later)
})
void access.enter(code)
registerWorker(window)

const place = document.getElementById('app')
if (place !== null) {
  const speech = createSpeech(window)
  const theme = createTheme(window)
  render(<App {...{ url, access, address, speech, theme, storage }} soon={soonInPage} />, place)
}
