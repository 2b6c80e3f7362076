/**
 * Who is at the page. A login link leads here with a code in the fragment, which is exchanged for a key that this tab keeps.
 * Without a key the page's cookie is tried, which the server takes where its configuration says so.
 */
import { login } from 'banksman/client'

const KEY = 'vue-chat.key'

export function savedKey() {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function forgetKey() {
  sessionStorage.removeItem(KEY)
}

/** Takes the code out of the address, so that it stays in no history. */
export function codeInAddress() {
  const code = codeOf(location.hash)
  if (code !== undefined) history.replaceState(null, '', location.pathname + location.search)
  return code
}

/** Of a whole login link, or the code alone. */
export function codeOf(text) {
  const found = /(?:^|#|&)login=([\w-]+)/.exec(text)?.[1]
  return found ?? (/^[\w-]{8,}$/.test(text.trim()) ? text.trim() : undefined)
}

export async function enter(code) {
  const { key } = await login({ url: location.origin, code })
  sessionStorage.setItem(KEY, key)
  return key
}
