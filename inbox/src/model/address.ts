/**
 * The address bar: which page and what on it is open, so that a phone's back button works; or the code of a login link,
 * which is taken out of the bar and the history before anything else happens.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import { type Place, readPlace, writePlace } from './place.ts'

export interface Address {
  readonly place: ReadonlySignal<Place>
  /** The single-use code, once. */
  takeLoginCode(): string | undefined
  go(place: Place): void
  /** Another filter or tab of the same page: nothing to go back to. */
  adjust(place: Place): void
  /** Leaves what is open on the page. */
  shut(): void
  /** Someone opened a login link in this tab. */
  onLoginLink(listener: () => void): void
}

export function createAddress(page: Pick<Window, 'location' | 'history' | 'addEventListener'>): Address {
  const place = signal(readPlace(page.location.hash))
  /** Whether there is a list to go back to, or the page began with what is open. */
  let isOpenedHere = false
  const loginCode = () => new URLSearchParams(page.location.hash.slice(1)).get('login') ?? undefined

  function look(): void {
    place.value = readPlace(page.location.hash)
    if (place.value.id === undefined) isOpenedHere = false
  }
  function adjust(next: Place): void {
    page.history.replaceState(null, '', writePlace(next))
    place.value = next
  }
  page.addEventListener('popstate', look)
  page.addEventListener('hashchange', look)

  return {
    place,
    adjust,
    takeLoginCode() {
      const code = loginCode()
      if (code !== undefined)
        page.history.replaceState(null, '', page.location.pathname + page.location.search)
      return code
    },
    go(next) {
      const { page: name, id } = place.value
      // From one open thing to the next, back still leads to the list.
      if (name === next.page && id !== undefined && next.id !== undefined) return adjust(next)
      page.history.pushState(null, '', writePlace(next))
      isOpenedHere = name === next.page && next.id !== undefined
      place.value = next
    },
    shut() {
      if (place.value.id === undefined) return
      if (isOpenedHere) return page.history.back()
      const { id: _, ...list } = place.value
      adjust(list)
    },
    onLoginLink(listener) {
      const hear = () => loginCode() !== undefined && listener()
      page.addEventListener('popstate', hear)
      page.addEventListener('hashchange', hear)
    },
  }
}
