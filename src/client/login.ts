/** Exchanges the single-use code of a login link for a key. It is the one call that needs no credential. */
import type { WireLogin } from '../wire/types/identity.ts'
import { realClock } from './transport/real-clock.ts'
import { withTimeLimit } from './transport/time-limit.ts'
import { createTransport, type Fetch } from './transport/transport.ts'

export interface LoginOptions {
  url: string
  code: string
  fetch?: Fetch
  signal?: AbortSignal
  /** How long the server may take to answer before it fails as `unreachable`. */
  withinMs?: number
}

export async function login({ code, signal, withinMs, ...rest }: LoginOptions): Promise<WireLogin> {
  const send: Fetch = rest.fetch ?? ((input, init) => globalThis.fetch(input, init))
  // So that a page keeps the cookie that a server may leave, for pages that can't send a header.
  const fetch: Fetch = (input, init) => send(input, { ...init, credentials: 'same-origin' })
  const transport = createTransport({ ...rest, fetch })
  const limit =
    withinMs === undefined ? undefined : withTimeLimit(realClock, { url: transport.url, withinMs, signal })
  try {
    return await transport.json({
      method: 'POST',
      path: ['v1', 'login'],
      // In the body: an address ends up in logs and histories.
      body: { code },
      signal: limit?.signal ?? signal,
    })
  } finally {
    limit?.release()
  }
}
