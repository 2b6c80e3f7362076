/** Loads what calls people to the page when the first list has been drawn: nobody waits for the list because of it. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Notifications, NotificationsParts } from './notifications.ts'

export interface LoadedNotifications {
  /** Undefined until it is loaded. */
  readonly now: ReadonlySignal<Notifications | undefined>
  close(): void
}

/** `prepare` is run before: it gets the browser ready for it. */
export function loadNotifications(
  parts: NotificationsParts,
  prepare: () => Promise<void>,
): LoadedNotifications {
  const now = signal<Notifications | undefined>(undefined)
  let isWanted = true
  async function load() {
    await prepare()
    return import('./notifications.ts')
  }

  const stopWaiting = effect(() => {
    if (!parts.isListed.value) return
    load().then(
      ({ createNotifications }) => {
        if (isWanted) now.value = createNotifications(parts)
      },
      // The list works without it, and a page that can't be loaded has more to tell elsewhere.
      () => {},
    )
  })
  return {
    now,
    close() {
      isWanted = false
      stopWaiting()
      now.value?.close()
    },
  }
}
