/** Loads what calls people to the page when the first list is here: the first page does not wait for it. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Notifications, NotificationsParts } from './notifications.ts'

export interface LoadedNotifications {
  /** Undefined until it is loaded. */
  readonly now: ReadonlySignal<Notifications | undefined>
  close(): void
}

export function loadNotifications(parts: NotificationsParts): LoadedNotifications {
  const now = signal<Notifications | undefined>(undefined)
  let isWanted = true
  const stopWaiting = effect(() => {
    if (!parts.isListed.value) return
    import('./notifications.ts').then(
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
