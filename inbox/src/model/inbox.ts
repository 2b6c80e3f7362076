/** All that the page knows and does, in one place that the parts are given. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type Client,
  type ClientError,
  createClient,
  type WireIdentity,
  type WireRequest,
} from '../../../src/client/index.ts'
import type { Language } from '../words/words.ts'
import type { Address } from './address.ts'
import { type Answers, createAnswers } from './answers.ts'
import { pendingOf, recentOf } from './board.ts'
import { createLive, type Live } from './live.ts'

export interface Inbox {
  readonly identity: WireIdentity
  readonly client: Client
  readonly live: Live
  readonly answers: Answers
  readonly pending: ReadonlySignal<WireRequest[]>
  readonly recent: ReadonlySignal<WireRequest[]>
  readonly openId: Signal<string | undefined>
  readonly opened: ReadonlySignal<Opened>
  open(id: string): void
  shut(): void
  leave(): void
  close(): void
}

export type Opened =
  | { kind: 'nothing' }
  | { kind: 'loading' }
  | { kind: 'missing' }
  | { kind: 'request'; request: WireRequest }

export interface InboxParts {
  url: string
  token: string
  language: Language
  identity: WireIdentity
  address: Address
  onLeave: (error?: ClientError) => void
}

export function createInbox({ url, token, language, identity, address, onLeave }: InboxParts): Inbox {
  const client = createClient({ url, token, language })
  const live = createLive(client, onLeave)
  const answers = createAnswers({ client, live, subject: identity.subject, onRefused: onLeave })
  const openId = signal(address.openId())
  const missing = signal<ReadonlySet<string>>(new Set())
  const fetching = new Set<string>()

  const opened = computed<Opened>(() => {
    const id = openId.value
    if (id === undefined) return { kind: 'nothing' }
    const request = live.board.value.requests.get(id)
    if (request !== undefined) return { kind: 'request', request }
    return { kind: missing.value.has(id) ? 'missing' : 'loading' }
  })

  /** What is opened is fetched where it is not here, or only in part. */
  const stopFetching = effect(() => {
    const now = opened.value
    const id = openId.peek()
    const isPartial = now.kind === 'request' && now.request.shortened === true
    if (id === undefined || !(now.kind === 'loading' || isPartial)) return
    const wanted = `${id} ${now.kind === 'request' ? now.request.version : ''}`
    if (fetching.has(wanted)) return
    fetching.add(wanted)
    live.fetch(id).then(
      (found) => {
        if (found === undefined) missing.value = new Set(missing.value).add(id)
      },
      // The next change on the board tries again; the banner says that the connection is lost.
      () => fetching.delete(wanted),
    )
  })

  return {
    identity,
    client,
    live,
    answers,
    pending: computed(() => pendingOf(live.board.value)),
    recent: computed(() => recentOf(live.board.value)),
    openId,
    opened,
    open(id) {
      address.open(id)
      openId.value = id
    },
    shut() {
      address.close()
      openId.value = undefined
    },
    leave: () => onLeave(),
    close() {
      stopFetching()
      live.close()
    },
  }
}
