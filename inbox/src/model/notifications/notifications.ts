/** All by which this browser calls somebody to the page, and when it does not. */
import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import type { ServerCalls, WireRequest } from '../../../../src/client/index.ts'
import type { Locale } from '../../../../src/display/words/rendering-words.ts'
import type { Snoozed } from '../requests/snoozed.ts'
import { createDoNotDisturb, type DoNotDisturb } from './do-not-disturb.ts'
import { createNotificationBrowser, type NotificationPage } from './notification-browser.ts'
import { createPageNotifications, type PageNotifications } from './page-notifications.ts'
import { createWebPush, type PushPage, type WebPush } from './web-push.ts'

export interface Notifications {
  readonly quiet: DoNotDisturb
  readonly notices: PageNotifications
  readonly push: WebPush
  close(): void
}

export interface NotificationsParts {
  client: Pick<ServerCalls, 'push'>
  /** All that waits. */
  pending: ReadonlySignal<readonly WireRequest[]>
  /** False until the first list is here. */
  isListed: ReadonlySignal<boolean>
  snoozed: Snoozed
  subject: string
  language: Locale
  storage: () => Storage
  page: NotificationPage & PushPage
}

export function createNotifications(parts: NotificationsParts): Notifications {
  const { client, pending, isListed, snoozed, subject, language, storage, page } = parts
  const quiet = createDoNotDisturb(storage)
  const notices = createPageNotifications({
    browser: createNotificationBrowser(page),
    storage,
    quiet,
    isSnoozed: snoozed.isSnoozed,
    language,
    now: Date.now,
    after(delayMs, callback) {
      const timer = setTimeout(callback, delayMs)
      return { cancel: () => clearTimeout(timer) }
    },
  })
  const push = createWebPush({ client, page, storage, subject, quiet: () => quiet.settings.value.hours })
  // The server may have forgotten it, and it belongs to the key of today. It is tried again at the next visit.
  if (push.isChosen()) push.renew().catch(() => {})

  let isFirst = true
  const stopLooking = effect(() => {
    const [waiting, isWhole] = [pending.value, isListed.value]
    snoozed.until.value
    // What was there before we looked is no news.
    untracked(() => notices.look(waiting, isWhole && !isFirst))
    isFirst = false
  })

  return {
    quiet,
    notices,
    push,
    close() {
      stopLooking()
      notices.close()
    },
  }
}
