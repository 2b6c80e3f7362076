/**
 * What the address bar says after the `#`: which request is open, so that a phone's back button works; or the
 * code of a login link, which is taken out of the bar and the history before anything else happens.
 */

export interface Address {
  /** The single-use code, once. */
  takeLoginCode(): string | undefined
  openId(): string | undefined
  open(id: string): void
  close(): void
  onChange(listener: () => void): void
}

export function createAddress(page: Pick<Window, 'location' | 'history' | 'addEventListener'>): Address {
  /** Whether there is a list to go back to, or the page began with the request. */
  let isOpenedHere = false
  const read = (name: string) => new URLSearchParams(page.location.hash.slice(1)).get(name) ?? undefined
  const bare = () => page.location.pathname + page.location.search

  return {
    takeLoginCode() {
      const code = read('login')
      if (code !== undefined) page.history.replaceState(null, '', bare())
      return code
    },
    openId: () => read('request'),
    open(id) {
      const hash = `#${new URLSearchParams({ request: id })}`
      // From one request to the next, back still leads to the list.
      if (read('request') !== undefined) return page.history.replaceState(null, '', hash)
      page.history.pushState(null, '', hash)
      isOpenedHere = true
    },
    close() {
      if (isOpenedHere) return page.history.back()
      page.history.replaceState(null, '', bare())
    },
    onChange(listener) {
      page.addEventListener('popstate', () => {
        if (read('request') === undefined) isOpenedHere = false
        listener()
      })
      page.addEventListener('hashchange', listener)
    },
  }
}
