/** The language that the page speaks: as the browser prefers, or as the person chose, remembered. */
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { Locale } from '../../../src/display/words/rendering-words.ts'
import { type InboxWords, inboxWordsIn, languageFor } from './words.ts'

export interface LanguageChoice {
  readonly language: Signal<Locale>
  readonly words: ReadonlySignal<InboxWords>
  /** A moment, as short as it is clear: the date only where it is another day. */
  time(at: number | string): string
}

const NAME = 'banksman.language'

export function createLanguageChoice(page: Window): LanguageChoice {
  const chosen = signal(languageFor([remembered(page) ?? '', ...page.navigator.languages]))
  effect(() => {
    page.document.documentElement.lang = chosen.value
    remember(page, chosen.value)
  })
  return {
    language: chosen,
    words: computed(() => inboxWordsIn(chosen.value)),
    time(at) {
      const moment = new Date(at)
      const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false } as const
      const isToday = moment.toDateString() === new Date().toDateString()
      return new Intl.DateTimeFormat(
        chosen.value,
        isToday ? clock : { dateStyle: 'medium', timeStyle: 'short' },
      ).format(moment)
    },
  }
}

function remembered(page: Window): string | undefined {
  try {
    return page.localStorage.getItem(NAME) ?? undefined
  } catch {
    return undefined
  }
}

function remember(page: Window, language: Locale): void {
  try {
    page.localStorage.setItem(NAME, language)
  } catch {
    // A browser that keeps nothing is asked again next time.
  }
}
