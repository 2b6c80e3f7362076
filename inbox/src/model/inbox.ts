/** All that the page knows and does, in one place that the parts are given. */
import { computed, effect, type ReadonlySignal, untracked } from '@preact/signals'
import {
  type ClientError,
  createServerCalls,
  type ServerCalls,
  type WireIdentity,
  type WireRequest,
} from '../../../src/client/index.ts'
import type { Locale } from '../../../src/display/words/rendering-words.ts'
import type { AddressBar } from './browser/address-bar.ts'
import { ANSWER_WITHIN_MS } from './browser/load-within.ts'
import type { PageLocation } from './browser/page-location.ts'
import { registerWorker } from './browser/register-worker.ts'
import { type LoadedNotifications, loadNotifications } from './notifications/load-notifications.ts'
import { createDecisionSender, type DecisionSender } from './requests/decision-sender.ts'
import { createLiveRequests, type LiveRequests } from './requests/live-requests.ts'
import type { ScheduleFrame } from './requests/request-cache.ts'
import { createRequestViews, type RequestViews } from './requests/request-views.ts'
import { createSelection, type Selection } from './requests/selection.ts'
import { createSessionTitles, type SessionTitles } from './requests/session-titles.ts'
import { createSnoozed, type Snoozed } from './requests/snoozed.ts'
import { createStreamCarrier } from './streams/stream-carrier.ts'

export interface InboxModel {
  readonly identity: WireIdentity
  readonly client: ServerCalls
  readonly live: LiveRequests
  readonly answers: DecisionSender
  readonly views: RequestViews
  readonly selection: Selection
  readonly snoozed: Snoozed
  readonly reminders: LoadedNotifications['now']
  readonly pending: ReadonlySignal<readonly WireRequest[]>
  /** Those whose outcome only a person can find out. */
  readonly unsettled: ReadonlySignal<readonly WireRequest[]>
  /** How many need a person: to decide, or to say what became of them. */
  readonly openCount: ReadonlySignal<number>
  readonly recent: ReadonlySignal<readonly WireRequest[]>
  readonly titles: SessionTitles
  readonly place: ReadonlySignal<PageLocation>
  /** The request that is open, on whichever page. */
  readonly openId: ReadonlySignal<string | undefined>
  go(place: PageLocation): void
  adjust(place: PageLocation): void
  open(id: string): void
  /** Opens it without anybody having asked for it: it takes no focus, and there is nothing to go back to. */
  suggest(id: string): void
  isSuggested(id: string): boolean
  shut(): void
  leave(error?: ClientError): void
  close(): void
}

export interface InboxModelParts {
  url: string
  token: string
  language: Locale
  identity: WireIdentity
  address: AddressBar
  storage: () => Storage
  soon: ScheduleFrame
  onLeave: (error?: ClientError) => void
}

/** On these pages what is open is a request. */
const WITH_REQUESTS: readonly string[] = ['pending', 'history']

export function createInboxModel(parts: InboxModelParts): InboxModel {
  const { url, token, language, identity, address, storage, soon, onLeave } = parts
  const carrier = createStreamCarrier({
    url,
    token,
    openSocket: 'WebSocket' in window ? (to) => new WebSocket(to) : undefined,
    fetch: (input, init) => window.fetch(input, init),
    now: Date.now,
  })
  const client = createServerCalls({ url, token, language, fetch: carrier.fetch, withinMs: ANSWER_WITHIN_MS })
  const live = createLiveRequests({ client, soon, onRefused: onLeave })
  const { place } = address
  const openId = computed(() => (WITH_REQUESTS.includes(place.value.page) ? place.value.id : undefined))
  const views = createRequestViews({ client, live, id: () => openId.value, onRefused: onLeave })
  const of = <T>(read: () => T) =>
    computed(() => {
      live.board.changes.value
      return read()
    })
  const pending = of(() => live.board.pending())
  const unsettled = of(() => live.board.unsettled())
  const titles = createSessionTitles({ client })
  const snoozed = createSnoozed(storage)
  const reminders = loadNotifications(
    {
      client,
      pending,
      isListed: live.isListed,
      snoozed,
      subject: identity.subject,
      language,
      storage,
      page: window,
    },
    async () => {
      await new Promise<void>(soon)
      await registerWorker(window)
    },
  )

  const answers = createDecisionSender({ client, live, subject: identity.subject, onRefused: onLeave })
  let suggested: string | undefined
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
    unsettled,
    openCount: computed(() => pending.value.length + unsettled.value.length),
    titles,
    recent: of(() => live.board.recent()),
    place,
    openId,
    go: address.go,
    adjust: address.adjust,
    open(id) {
      suggested = undefined
      const { page } = place.value
      address.go({ ...place.value, page: WITH_REQUESTS.includes(page) ? page : 'pending', id })
    },
    suggest(id) {
      suggested = id
      address.adjust({ ...place.value, id })
    },
    isSuggested: (id) => id === suggested,
    shut: address.shut,
    leave: onLeave,
    close() {
      reminders.close()
      stopHearing()
      titles.close()
      views.close()
      live.close()
      carrier.close()
    },
  }
}
