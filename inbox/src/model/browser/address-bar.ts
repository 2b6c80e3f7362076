/**
 * The address bar: which page and what on it is open, so that a phone's back button works; or the code of a login link,
 * which is taken out of the bar and the history before anything else happens.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import { formatPageLocation, type PageLocation, parsePageLocation } from './page-location.ts'

export interface AddressBar {
  readonly place: ReadonlySignal<PageLocation>
  /** The single-use code, once. */
  takeLoginCode(): string | undefined
  go(place: PageLocation): void
  /** Another filter or tab of the same page: nothing to go back to. */
  adjust(place: PageLocation): void
  /** Leaves what is open on the page. */
  shut(): void
  /** Someone opened a login link in this tab. */
  onLoginLink(listener: () => void): void
}

export function createAddressBar(
  page: Pick<Window, 'location' | 'history' | 'addEventListener'>,
): AddressBar {
  const place = signal(parsePageLocation(page.location.hash))
  /** Whether there is a list to go back to, or the page began with what is open. */
  let isOpenedHere = false
  const loginCode = () => new URLSearchParams(page.location.hash.slice(1)).get('login') ?? undefined

  function look(): void {
    place.value = parsePageLocation(page.location.hash)
    if (place.value.id === undefined) isOpenedHere = false
  }
  function adjust(next: PageLocation): void {
    page.history.replaceState(null, '', formatPageLocation(next))
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
      page.history.pushState(null, '', formatPageLocation(next))
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
