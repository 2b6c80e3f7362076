/** Sends what the person decides: one answer at a time for each request, however often a button is pressed. */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  type Client,
  ClientError,
  type DecisionInput,
  type DecisionKind,
  isClientError,
  type WireRequest,
} from '../../../src/client/index.ts'
import type { Live } from './live.ts'

export interface Answers {
  /** Requests whose answer is on its way. */
  readonly sending: ReadonlySignal<ReadonlySet<string>>
  /** Why the last answer to a request failed. It may have been recorded all the same, where nothing was heard. */
  readonly failures: ReadonlySignal<ReadonlyMap<string, ClientError>>
  send(request: WireRequest, input: DecisionInput): Promise<void>
  /** Whether what is recorded is what was sent from here, as opposed to elsewhere. */
  isFromHere(request: WireRequest): boolean
}

export interface AnswersParts {
  client: Pick<Client, 'decide'>
  live: Pick<Live, 'put' | 'fetch'>
  /** Who answers here. */
  subject: string
  onRefused: (error: ClientError) => void
}

export function createAnswers({ client, live, subject, onRefused }: AnswersParts): Answers {
  const sending = signal<ReadonlySet<string>>(new Set())
  const failures = signal<ReadonlyMap<string, ClientError>>(new Map())
  const sent = new Map<string, DecisionKind>()

  function fail(id: string, error: ClientError | undefined): void {
    const next = new Map(failures.value)
    if (error === undefined) next.delete(id)
    else next.set(id, error)
    failures.value = next
  }

  return {
    sending,
    failures,
    async send({ id }, input) {
      if (sending.value.has(id)) return
      sending.value = new Set(sending.value).add(id)
      fail(id, undefined)
      sent.set(id, input.decision)
      try {
        live.put((await client.decide(id, input)).request)
      } catch (error) {
        if (!(error instanceof ClientError)) throw error
        if (isClientError(error, 'unauthenticated')) return onRefused(error)
        fail(id, error)
        // What counts is what the server holds, which may be this answer or somebody else's.
        await live.fetch(id).catch(() => {})
      } finally {
        const left = new Set(sending.value)
        left.delete(id)
        sending.value = left
      }
    },
    isFromHere: ({ id, decision }) =>
      decision !== undefined && decision.by === subject && decision.kind === sent.get(id),
  }
}
