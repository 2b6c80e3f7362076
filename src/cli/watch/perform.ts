/** Does what `advance` wants done: asks the server, and feeds the answer back. */

import { type Client, isClientError, type WireRequest } from '../../client/index.ts'
import { readAllPages } from '../../core/support/read-pages.ts'
import { recordedDecision } from '../connection/decide-request.ts'
import { suggestionsOf } from '../output/suggestion-text.ts'
import type { WatchAction, WatchInput } from './watch-state.ts'

export interface Performing {
  client: Client
  /** Aborted when nobody wants to know any more. */
  signal: AbortSignal
  /** Milliseconds, by a clock that does not jump. */
  clock: () => number
  feed(input: WatchInput): void
  /** The screen and the keyboard are the editor's for a while. */
  edit(action: Extract<WatchAction, { kind: 'edit' }>): void
  quit(): void
}

export function perform(action: WatchAction, performing: Performing): void {
  const { client, signal, clock, feed } = performing
  const after = <T>(work: Promise<T>, done: (value: T) => void, failed: (error: unknown) => void) => {
    work.then(done, (error) => {
      if (!signal.aborted) failed(error)
    })
  }
  switch (action.kind) {
    case 'quit':
      performing.quit()
      return
    case 'edit':
      performing.edit(action)
      return
    case 'fetch':
      after(
        client.get(action.id, { signal }),
        (request) => feed({ kind: 'fetched', request, at: clock() }),
        (error) => feed({ kind: 'fetch_failed', id: action.id, detail: detailOf(error) }),
      )
      return
    case 'decide':
      after(
        client.decide(action.id, action.decision, { signal }),
        ({ request, decided }) => feed({ kind: 'recorded', request, isDecided: decided }),
        (error) => {
          const code = isClientError(error) ? error.code : 'internal'
          feed({ kind: 'refused', id: action.id, code, detail: detailOf(error), at: clock() })
        },
      )
      return
    case 'suggest': {
      const { id } = action.request
      after(
        suggestionsOf(client, action.request),
        (suggestions) => feed({ kind: 'suggested', id, suggestions, at: clock() }),
        // Without them only this one call can be approved.
        () => feed({ kind: 'suggested', id, suggestions: [], at: clock() }),
      )
      return
    }
    case 'gather': {
      const { id, ids } = action
      const all = ids.map((each) => client.get(each, { signal }).catch(() => undefined))
      after(
        Promise.all(all),
        (found) => {
          const requests = found.filter((request): request is WireRequest => request !== undefined)
          feed({ kind: 'gathered', id, requests, at: clock() })
        },
        () => {},
      )
    }
  }
}

const PAGE = 200

export function listPending(client: Client, signal: AbortSignal): Promise<WireRequest[]> {
  return readAllPages((next) => client.list({ limit: PAGE, ...next }, { signal }))
}

export function detailOf(error: unknown): string {
  if (isClientError(error)) return recordedDecision(error.problem) ?? error.detail
  return error instanceof Error ? error.message : String(error)
}
