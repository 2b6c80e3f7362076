/**
 * The page's own notifications: while nobody looks at it, it says that something has come that is theirs to decide. Only
 * for who switched it on, and never in quiet hours. It names the tool and the agent and no arguments: a notification is
 * read on lock screens and by whoever stands beside.
 *
 * One for all that came together, under one tag: a later one takes the place of the one before. It is closed when what
 * it spoke of is answered, here or elsewhere, and when the page is looked at.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { WireRequest } from '../../../../src/client/index.ts'
import type { Locale } from '../../../../src/display/words/rendering-words.ts'
import { createStoredValue } from '../browser/stored-value.ts'
import { visible } from '../text/visible-line.ts'
import { type DoNotDisturb, isQuiet, quietEnd } from './do-not-disturb.ts'
import type { NotificationAccess, NotificationBrowser } from './notification-browser.ts'
import { NOTIFICATION_WORDS } from './notification-words.ts'

/** What is waiting, as far as a notice is about it. */
export type PendingNotification = Pick<WireRequest, 'id' | 'tool' | 'agent' | 'yours' | 'expiresAt'>

export interface PageNotificationsParts {
  browser: NotificationBrowser
  storage: () => Storage
  quiet: DoNotDisturb
  /** Put off by the person: not to be spoken of. */
  isSnoozed(request: PendingNotification, now: number): boolean
  language: Locale
  now(): number
  after(delayMs: number, callback: () => void): { cancel(): void }
}

export interface PageNotifications {
  readonly isOn: ReadonlySignal<boolean>
  readonly permission: ReadonlySignal<NotificationAccess>
  /** Asks the browser where it must. To be called by a button only. */
  turnOn(): Promise<void>
  turnOff(): void
  /** All that waits now. `isListed` is false while the first list is still being read: that is no news. */
  look(waiting: readonly PendingNotification[], isListed: boolean): void
  close(): void
}

/** The same as the service worker's, so that the two never stand side by side. */
const TAG = 'banksman-waits'
const NAME = 'banksman.notices'
/** What comes within it is one notice; what is answered within it is none. */
const GATHER_MS = 1000
/** A notice that only adds to one that was just shown makes no sound. */
const SILENT_MS = 30_000
const LONGEST_TIMER_MS = 15 * 60_000
const MAX_NAME = 60
const MAX_TOOLS = 3

export function createPageNotifications(parts: PageNotificationsParts): PageNotifications {
  const { browser, quiet, now, after } = parts
  const words = NOTIFICATION_WORDS[parts.language]
  const kept = createStoredValue(parts.storage, NAME, (value) => (value === true ? true : undefined))
  const isOn = signal(kept.read() === true)
  const permission = signal(browser.permission())
  let mine: readonly PendingNotification[] = []
  /** Told of, or seen on the page. */
  let known = new Set<string>()
  let shown = new Set<string>()
  let shownAt = Number.NEGATIVE_INFINITY
  let timer: { at: number; cancel(): void } | undefined
  let badge: number | undefined

  function news(): PendingNotification[] {
    return mine.filter(({ id }) => !known.has(id))
  }

  function seeAll(): void {
    known = new Set(mine.map(({ id }) => id))
  }

  function clear(): void {
    if (shown.size === 0) return
    shown = new Set()
    void browser.close(TAG).catch(() => {})
  }

  function plan(delayMs: number): void {
    const at = now() + delayMs
    if (timer !== undefined && timer.at <= at) return
    timer?.cancel()
    const { cancel } = after(delayMs, () => {
      timer = undefined
      tell()
    })
    timer = { at, cancel }
  }

  function setBadge(count: number): void {
    if (count !== badge) browser.setBadge(count)
    badge = count
  }

  function tell(): void {
    if (!isOn.value || permission.value !== 'granted' || !browser.isHidden()) seeAll()
    if (news().length === 0) return
    const at = now()
    if (isQuiet(quiet.settings.value, at)) {
      plan(Math.min(quietEnd(quiet.settings.value, at) - at, LONGEST_TIMER_MS))
      return
    }
    const about = mine.filter(({ id }) => shown.has(id) || !known.has(id))
    seeAll()
    shown = new Set(about.map(({ id }) => id))
    const renotify = at - shownAt > SILENT_MS
    shownAt = at
    void browser
      .show(words.waiting(about.length), { body: bodyOf(about), tag: TAG, renotify })
      .catch(() => {})
  }

  function bodyOf(about: readonly PendingNotification[]): string {
    const [first] = about
    if (about.length === 1 && first !== undefined) {
      const tool = shortName(first.tool)
      return first.agent === undefined ? tool : words.by(tool, shortName(first.agent.name))
    }
    const tools = [...new Set(about.map(({ tool }) => tool))]
    const named = tools.slice(0, MAX_TOOLS).map(shortName)
    return words.more(named, Math.max(0, tools.length - MAX_TOOLS))
  }

  const stopListening = browser.onVisible(() => {
    permission.value = browser.permission()
    seeAll()
    clear()
  })

  /** They may have ended early. */
  const stopWatching = quiet.settings.subscribe(() => {
    if (news().length > 0) plan(GATHER_MS)
  })

  return {
    isOn,
    permission,
    async turnOn() {
      permission.value = browser.permission() === 'default' ? await browser.ask() : browser.permission()
      if (permission.value !== 'granted') return
      isOn.value = true
      kept.write(true)
    },
    turnOff() {
      isOn.value = false
      kept.write(undefined)
      clear()
    },
    look(waiting, isListed) {
      const at = now()
      mine = waiting.filter((request) => request.yours && !parts.isSnoozed(request, at))
      setBadge(mine.length)
      const ids = new Set(mine.map(({ id }) => id))
      if (![...shown].some((id) => ids.has(id))) clear()
      // What has gone is no longer known: put off, it is news again when it comes back.
      known = isListed && browser.isHidden() ? new Set([...known].filter((id) => ids.has(id))) : ids
      if (news().length > 0) plan(GATHER_MS)
    },
    close() {
      timer?.cancel()
      stopListening()
      stopWatching()
      clear()
      setBadge(0)
    },
  }
}

/** A tool and an agent name themselves: what can't be seen is written out, and nothing is longer than a line. */
function shortName(name: string): string {
  const text = visible(name)
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text
}
