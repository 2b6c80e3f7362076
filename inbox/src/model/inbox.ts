/** All that the page knows and does, in one place that the parts are given. */
import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals'
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
import type { Soon } from './board.ts'
import { type LateReminders, loadReminders } from './late-reminders.ts'
import { createLive, type Live } from './live.ts'
import type { Place } from './place.ts'
import { createSelection, type Selection } from './selection.ts'
import { createSnoozed, type Snoozed } from './snoozed.ts'
import { createViews, type Views } from './views.ts'

export interface Inbox {
  readonly identity: WireIdentity
  readonly client: Client
  readonly live: Live
  readonly answers: Answers
  readonly views: Views
  readonly selection: Selection
  readonly snoozed: Snoozed
  readonly reminders: LateReminders['now']
  readonly pending: ReadonlySignal<readonly WireRequest[]>
  readonly recent: ReadonlySignal<readonly WireRequest[]>
  readonly place: ReadonlySignal<Place>
  /** The request that is open, on whichever page. */
  readonly openId: ReadonlySignal<string | undefined>
  go(place: Place): void
  adjust(place: Place): void
  open(id: string): void
  shut(): void
  leave(error?: ClientError): void
  close(): void
}

export interface InboxParts {
  url: string
  token: string
  language: Language
  identity: WireIdentity
  address: Address
  storage: () => Storage
  soon: Soon
  onLeave: (error?: ClientError) => void
}

/** On these pages what is open is a request. */
const WITH_REQUESTS: readonly string[] = ['pending', 'history']

export function createInbox(parts: InboxParts): Inbox {
  const { url, token, language, identity, address, storage, soon, onLeave } = parts
  const client = createClient({ url, token, language })
  const live = createLive({ client, soon, onRefused: onLeave })
  const { place } = address
  const openId = computed(() => (WITH_REQUESTS.includes(place.value.page) ? place.value.id : undefined))
  const views = createViews({ client, live, id: () => openId.value, onRefused: onLeave })
  const of = <T>(read: () => T) =>
    computed(() => {
      live.board.changes.value
      return read()
    })
  const pending = of(() => live.board.pending())
  const snoozed = createSnoozed(storage)
  const reminders = loadReminders({
    client,
    pending,
    isListed: live.isListed,
    snoozed,
    subject: identity.subject,
    language,
    storage,
    page: window,
  })

  const answers = createAnswers({ client, live, subject: identity.subject, onRefused: onLeave })
  const stopHearing = effect(() => {
    if (live.connection.value.kind === 'live') untracked(answers.reconnected)
  })

  return {
    identity,
    client,
    live,
    answers,
    views,
    selection: createSelection(pending),
    snoozed,
    reminders: reminders.now,
    pending,
    recent: of(() => live.board.recent()),
    place,
    openId,
    go: address.go,
    adjust: address.adjust,
    open(id) {
      const { page } = place.value
      address.go({ ...place.value, page: WITH_REQUESTS.includes(page) ? page : 'pending', id })
    },
    shut: address.shut,
    leave: onLeave,
    close() {
      reminders.close()
      stopHearing()
      views.close()
      live.close()
    },
  }
}
