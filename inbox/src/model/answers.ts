/** Sends what the person decides: one answer at a time for each request, however often a button is pressed. */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  type Client,
  ClientError,
  type DecisionInput,
  isClientError,
  type WireRequest,
} from '../../../src/client/index.ts'
import type { Live } from './live.ts'

export interface Answers {
  /** Requests whose answer is on its way. */
  readonly sending: ReadonlySignal<ReadonlySet<string>>
  /** Why the last answer to a request was not recorded. */
  readonly failures: ReadonlySignal<ReadonlyMap<string, ClientError>>
  /** Requests that were answered on this page, as opposed to elsewhere. */
  readonly sent: ReadonlySet<string>
  send(request: WireRequest, input: DecisionInput): Promise<void>
}

export function createAnswers(client: Client, live: Live, onRefused: (error: ClientError) => void): Answers {
  const sending = signal<ReadonlySet<string>>(new Set())
  const failures = signal<ReadonlyMap<string, ClientError>>(new Map())
  const sent = new Set<string>()

  function fail(id: string, error: ClientError | undefined): void {
    const next = new Map(failures.value)
    if (error === undefined) next.delete(id)
    else next.set(id, error)
    failures.value = next
  }

  return {
    sending,
    failures,
    sent,
    async send({ id }, input) {
      if (sending.value.has(id)) return
      sending.value = new Set(sending.value).add(id)
      fail(id, undefined)
      try {
        const { request } = await client.decide(id, input)
        sent.add(id)
        live.put(request)
      } catch (error) {
        if (!(error instanceof ClientError)) throw error
        if (isClientError(error, 'unauthenticated')) return onRefused(error)
        fail(id, error)
        // It may have been recorded all the same, or something else was: what counts is what the server holds.
        await live.fetch(id).catch(() => {})
      } finally {
        const left = new Set(sending.value)
        left.delete(id)
        sending.value = left
      }
    },
  }
}
