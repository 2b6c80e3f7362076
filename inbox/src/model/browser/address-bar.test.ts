import { describe, expect, it } from 'vitest'
import { createAddressBar } from './address-bar.ts'

/** As much of a window as the address uses, with a history that can be gone back in. */
function createPage(hash: string) {
  const entries = [hash]
  const listeners: (() => void)[] = []
  const set = (at: number, url: string) => {
    entries[at] = url.includes('#') ? url.slice(url.indexOf('#')) : ''
  }
  const page = {
    location: {
      pathname: '/inbox/',
      search: '',
      get hash() {
        return entries.at(-1)!
      },
    },
    history: {
      replaceState: (_: unknown, __: string, url: string) => set(entries.length - 1, url),
      pushState: (_: unknown, __: string, url: string) => set(entries.length, url),
      back() {
        entries.pop()
        for (const listener of listeners) listener()
      },
    },
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  return { entries, tell, back: page.history.back, address: createAddressBar(page as unknown as Window) }
}

describe('the address', () => {
  it('P11: gives the login code once and takes it out of the bar and the history', () => {
    const { address, entries } = createPage('#login=bml_a-b_c')
    expect(address.takeLoginCode()).toBe('bml_a-b_c')
    expect(entries).toEqual([''])
    expect(address.takeLoginCode()).toBeUndefined()
  })

  it('opens a request so that back leads to the list', () => {
    const { address, entries } = createPage('')
    address.go({ page: 'pending', id: 'req_1&x' })
    expect(address.place.value).toEqual({ page: 'pending', id: 'req_1&x' })
    address.go({ page: 'pending', id: 'req_2' })
    expect(address.place.value.id).toBe('req_2')
    address.shut()
    expect(address.place.value).toEqual({ page: 'pending' })
    expect(entries).toEqual([''])
  })

  it('stays on the page when a request that it began with is closed', () => {
    const { address, entries } = createPage('#/history/req_1?tool=Bash')
    address.go({ page: 'history', id: 'req_2', query: { tool: 'Bash' } })
    address.shut()
    expect(entries).toEqual(['#/history?tool=Bash'])
    expect(address.place.value).toEqual({ page: 'history', query: { tool: 'Bash' } })
  })

  it('goes from page to page with a way back, and adjusts a page without one', () => {
    const { address, entries, back } = createPage('')
    address.go({ page: 'grants' })
    address.adjust({ page: 'grants', query: { over: 'yes' } })
    expect(entries).toEqual(['', '#/grants?over=yes'])
    address.shut()
    expect(address.place.value.page).toBe('grants')
    back()
    expect(address.place.value).toEqual({ page: 'pending' })
  })

  it('P11: hears of a login link that is opened in the same tab', () => {
    const { address, entries, tell } = createPage('')
    let heard = 0
    address.onLoginLink(() => heard++)
    tell()
    expect(heard).toBe(0)
    entries.push('#login=bml_x')
    tell()
    expect(heard).toBeGreaterThan(0)
    expect(address.takeLoginCode()).toBe('bml_x')
  })
})
