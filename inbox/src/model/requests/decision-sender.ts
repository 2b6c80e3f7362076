/** Sends what the person decides: one answer at a time for each request, however often a button is pressed. */
import { type ReadonlySignal, signal } from '@preact/signals'
import {
  ClientError,
  type DecisionInput,
  type DecisionKind,
  type ServerCalls,
  type WireRequest,
} from '../../../../src/client/index.ts'
import type { LiveRequests } from './live-requests.ts'

export interface DecisionSender {
  /** Requests whose answer is on its way. */
  readonly sending: ReadonlySignal<ReadonlySet<string>>
  /** Why the last answer to a request failed. It may have been recorded all the same, where nothing was heard. */
  readonly failures: ReadonlySignal<ReadonlyMap<string, ClientError>>
  /**
   * - `recorded`: the server has it, as it said itself or as was found when its answer was lost;
   * - `failed`: see `failures`;
   * - `ignored`: an answer to this request is on its way, or this very one is recorded already.
   */
  send(request: WireRequest, input: DecisionInput): Promise<'recorded' | 'failed' | 'ignored'>
  /** The server is there again: what it holds is known, and that it was away is no longer the case. */
  reconnected(): void
  /** Whether what is recorded is what was sent from here, as opposed to elsewhere. */
  isFromHere(request: WireRequest): boolean
}

export interface DecisionSenderParts {
  client: Pick<ServerCalls, 'decide'>
  live: Pick<LiveRequests, 'put' | 'fetch'>
  /** Who answers here. */
  subject: string
  onRefused: (error: ClientError) => void
}

export function createDecisionSender({
  client,
  live,
  subject,
  onRefused,
}: DecisionSenderParts): DecisionSender {
  const sending = signal<ReadonlySet<string>>(new Set())
  const failures = signal<ReadonlyMap<string, ClientError>>(new Map())
  const sent = new Map<string, DecisionKind>()
  /** The page shows a moment later what was recorded: until then the same button is still there to be pressed. */
  const recorded = new Map<string, string>()

  function fail(id: string, error: ClientError | undefined): void {
    const next = new Map(failures.value)
    if (error === undefined) next.delete(id)
    else next.set(id, error)
    failures.value = next
  }

  /** Nothing was heard of it, and yet it is this person's decision on what was shown. */
  function isRecordedAs(request: WireRequest | undefined, { decision, digest }: DecisionInput): boolean {
    const made = request?.decision
    return made !== undefined && made.by === subject && made.kind === decision && made.digest === digest
  }

  return {
    sending,
    failures,
    async send({ id, version }, input) {
      const answer = JSON.stringify([version, input])
      if (sending.value.has(id) || recorded.get(id) === answer) return 'ignored'
      sending.value = new Set(sending.value).add(id)
      fail(id, undefined)
      sent.set(id, input.decision)
      try {
        const { request } = await client.decide(id, input)
        recorded.set(id, answer)
        live.put(request)
        return 'recorded'
      } catch (error) {
        if (!(error instanceof ClientError)) throw error
        if (error.code === 'unauthenticated') {
          onRefused(error)
          return 'failed'
        }
        fail(id, error)
        // What counts is what the server has, which may be this answer or somebody else's. It is looked up, not sent again.
        const now = await live.fetch(id).catch(() => undefined)
        if (error.code !== 'unreachable' || !isRecordedAs(now, input)) return 'failed'
        recorded.set(id, answer)
        fail(id, undefined)
        return 'recorded'
      } finally {
        const left = new Set(sending.value)
        left.delete(id)
        sending.value = left
      }
    },
    reconnected() {
      const left = [...failures.value].filter(([, { code }]) => code !== 'unreachable')
      if (left.length < failures.value.size) failures.value = new Map(left)
    },
    isFromHere: ({ id, decision }) =>
      decision !== undefined && decision.by === subject && decision.kind === sent.get(id),
  }
}
