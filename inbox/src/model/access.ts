/** Who is at the page: logs in with a code, keeps the key, and shows the door when the server refuses it. */
import { type Signal, signal } from '@preact/signals'
import {
  ClientError,
  createClient,
  isClientError,
  login,
  type WireIdentity,
} from '../../../src/client/index.ts'
import type { KeyStore } from './key-store.ts'

export type AccessState =
  | { kind: 'checking' }
  | { kind: 'out'; error?: ClientError }
  /** There is a key, but the server can't be asked whose it is. */
  | { kind: 'unsure'; error: ClientError }
  | { kind: 'in'; key: string; identity: WireIdentity }

export interface Access {
  readonly state: Signal<AccessState>
  /** Begins with a code where there is one, and else with the key that was kept. */
  enter(code?: string): Promise<void>
  /** The server refused the key, or the person leaves. */
  leave(error?: ClientError): void
}

export function createAccess(url: string, keys: KeyStore): Access {
  const state = signal<AccessState>({ kind: 'checking' })
  let turn = 0

  async function exchange(code: string): Promise<ClientError | undefined> {
    try {
      const { key } = await login({ url, code })
      keys.write(key)
      return undefined
    } catch (error) {
      return asClientError(error)
    }
  }

  function leave(error?: ClientError): void {
    turn++
    keys.forget()
    state.value = { kind: 'out', ...(error === undefined ? {} : { error }) }
  }

  return {
    state,
    leave,
    async enter(code) {
      const mine = ++turn
      state.value = { kind: 'checking' }
      const refused = code === undefined ? undefined : await exchange(code)
      if (mine !== turn) return
      // A link that was used before opens nothing new, but who is already in stays in.
      const key = keys.read()
      if (key === undefined) {
        state.value = { kind: 'out', ...(refused === undefined ? {} : { error: refused }) }
        return
      }
      try {
        const identity = await createClient({ url, token: key }).me()
        if (mine === turn) state.value = { kind: 'in', key, identity }
      } catch (caught) {
        if (mine !== turn) return
        const error = asClientError(caught)
        if (isClientError(error, 'unauthenticated')) leave(refused ?? error)
        else state.value = { kind: 'unsure', error }
      }
    },
  }
}

function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ClientError({ code: 'unexpected_answer', detail, cause: error })
}
