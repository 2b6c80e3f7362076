/** Who is at the page: logs in with a code, keeps the key, and shows the door when the server refuses it. */

import { type Signal, signal } from '@preact/signals'
import {
  ClientError,
  createServerCalls,
  isClientError,
  login,
  type WireIdentity,
} from '../../../../src/client/index.ts'
import { defined } from '../../../../src/core/defined.ts'
import { ANSWER_WITHIN_MS } from '../browser/load-within.ts'
import type { KeyStore } from './key-store.ts'

export type LoginState =
  | { kind: 'checking' }
  | { kind: 'out'; error?: ClientError }
  /** Somebody is in, and opened a link that may be for somebody else: nobody becomes another without wanting to. */
  | { kind: 'asked'; code: string; key: string; identity: WireIdentity }
  /** There is a key, but the server can't be asked whose it is. */
  | { kind: 'unsure'; error: ClientError }
  | { kind: 'in'; key: string; identity: WireIdentity }

export interface Login {
  readonly state: Signal<LoginState>
  /** Begins with a code where there is one and nobody is in, and else with the key that was kept. */
  enter(code?: string): Promise<void>
  /** The answer of who was asked: become who the link is for, or stay. */
  choose(what: 'link' | 'stay'): Promise<void>
  /** The server refused the key, or the person leaves. */
  leave(error?: ClientError): void
}

export function createLogin(url: string, keys: KeyStore): Login {
  const state = signal<LoginState>({ kind: 'checking' })
  let turn = 0

  async function exchange(code: string): Promise<ClientError | undefined> {
    try {
      const { key } = await login({ url, code, withinMs: ANSWER_WITHIN_MS })
      keys.write(key)
      return undefined
    } catch (error) {
      return asClientError(error)
    }
  }

  function leave(error?: ClientError): void {
    turn++
    keys.forget()
    state.value = { kind: 'out', ...defined({ error }) }
  }

  /** Why the kept key no longer counts. */
  let outdated: ClientError | undefined

  /** Who the kept key belongs to; undefined where there is none, or where it no longer counts. */
  async function holder(): Promise<{ key: string; identity: WireIdentity } | ClientError | undefined> {
    const key = keys.read()
    if (key === undefined) return undefined
    try {
      return { key, identity: await createServerCalls({ url, token: key, withinMs: ANSWER_WITHIN_MS }).me() }
    } catch (caught) {
      const error = asClientError(caught)
      if (!isClientError(error, 'unauthenticated')) return error
      outdated = error
      keys.forget()
      return undefined
    }
  }

  async function enter(code: string | undefined, isWanted: boolean): Promise<void> {
    const mine = ++turn
    outdated = undefined
    state.value = { kind: 'checking' }
    const before = isWanted ? undefined : await holder()
    if (mine !== turn) return
    if (before instanceof ClientError) {
      state.value = { kind: 'unsure', error: before }
      return
    }
    if (before !== undefined) {
      state.value = code === undefined ? { kind: 'in', ...before } : { kind: 'asked', code, ...before }
      return
    }
    const refused = code === undefined ? undefined : await exchange(code)
    if (mine !== turn) return
    const now = refused === undefined || isWanted ? await holder() : undefined
    if (mine !== turn) return
    if (now instanceof ClientError) state.value = { kind: 'unsure', error: now }
    else if (now !== undefined) state.value = { kind: 'in', ...now }
    else {
      const error = refused ?? outdated
      state.value = { kind: 'out', ...defined({ error }) }
    }
  }

  return {
    state,
    leave,
    enter: (code) => enter(code, false),
    async choose(what) {
      const asked = state.value
      if (asked.kind !== 'asked') return
      if (what === 'link') return enter(asked.code, true)
      turn++
      state.value = { kind: 'in', key: asked.key, identity: asked.identity }
    },
  }
}

function asClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new ClientError({ code: 'unexpected_answer', detail, cause: error })
}
