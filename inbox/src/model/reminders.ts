/** All by which this browser calls somebody to the page, and when it does not. */
import { effect, type ReadonlySignal, untracked } from '@preact/signals'
import type { Client, WireRequest } from '../../../src/client/index.ts'
import type { Language } from '../words/words.ts'
import { createNoticeBrowser, type NoticePage } from './notice-browser.ts'
import { createNotices, type Notices } from './notices.ts'
import { createPush, type Push, type PushPage } from './push.ts'
import { createQuiet, type Quiet } from './quiet.ts'
import type { Snoozed } from './snoozed.ts'

export interface Reminders {
  readonly quiet: Quiet
  readonly notices: Notices
  readonly push: Push
  close(): void
}

export interface RemindersParts {
  client: Pick<Client, 'push'>
  /** All that waits. */
  pending: ReadonlySignal<readonly WireRequest[]>
  /** False until the first list is here. */
  isListed: ReadonlySignal<boolean>
  snoozed: Snoozed
  subject: string
  language: Language
  storage: () => Storage
  page: NoticePage & PushPage
}

export function createReminders(parts: RemindersParts): Reminders {
  const { client, pending, isListed, snoozed, subject, language, storage, page } = parts
  const quiet = createQuiet(storage)
  const notices = createNotices({
    browser: createNoticeBrowser(page),
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
  const push = createPush({ client, page, storage, subject, quiet: () => quiet.settings.value.hours })
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
