/** Starts the page. A login code leaves the address bar before anything else is done with it. */
import { render } from 'preact'
import { createAccess } from './model/access.ts'
import { createAddress } from './model/address.ts'
import { createKeyStore } from './model/key-store.ts'
import { App } from './parts/app.tsx'
import { createSpeech } from './words/speech.ts'

const address = createAddress(window)
const code = address.takeLoginCode()
// The page may be served under a path of a proxy: the server is wherever the page is.
const url = new URL('.', location.href).href
const access = createAccess(
  url,
  createKeyStore(() => localStorage),
)

address.onChange(() => {
  const later = address.takeLoginCode()
  if (later !== undefined) void access.enter(later)
})
void access.enter(code)

const place = document.getElementById('app')
if (place !== null) {
  render(<App url={url} access={access} address={address} speech={createSpeech(window)} />, place)
}
