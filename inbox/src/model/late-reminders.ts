/** Loads what calls people to the page when the first list is here: the first page does not wait for it. */
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Reminders, RemindersParts } from './reminders.ts'

export interface LateReminders {
  /** Undefined until it is loaded. */
  readonly now: ReadonlySignal<Reminders | undefined>
  close(): void
}

export function loadReminders(parts: RemindersParts): LateReminders {
  const now = signal<Reminders | undefined>(undefined)
  let isWanted = true
  const stopWaiting = effect(() => {
    if (!parts.isListed.value) return
    import('./reminders.ts').then(
      ({ createReminders }) => {
        if (isWanted) now.value = createReminders(parts)
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
