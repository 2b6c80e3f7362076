/** Exchanges the single-use code of a login link for a key. It is the one call that needs no credential. */
import type { WireLogin } from '../wire/types/identity.ts'
import { createTransport, type Fetch } from './transport/transport.ts'

export interface LoginOptions {
  url: string
  code: string
  fetch?: Fetch
  signal?: AbortSignal
}

export async function login({ code, signal, ...rest }: LoginOptions): Promise<WireLogin> {
  const send: Fetch = rest.fetch ?? ((input, init) => globalThis.fetch(input, init))
  // So that a page keeps the cookie that a server may leave, for pages that can't send a header.
  const fetch: Fetch = (input, init) => send(input, { ...init, credentials: 'same-origin' })
  // In the body: an address ends up in logs and histories.
  return createTransport({ ...rest, fetch }).json({
    method: 'POST',
    path: ['v1', 'login'],
    body: { code },
    signal,
  })
}
