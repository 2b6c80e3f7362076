import { describe, expect, it } from 'vitest'
import { createAddress } from './address.ts'

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
  return { entries, address: createAddress(page as unknown as Window) }
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
    address.open('req_1&x')
    expect(address.openId()).toBe('req_1&x')
    address.open('req_2')
    expect(address.openId()).toBe('req_2')
    address.close()
    expect(address.openId()).toBeUndefined()
    expect(entries).toEqual([''])
  })

  it('stays on the page when a request that it began with is closed', () => {
    const { address, entries } = createPage('#request=req_1')
    address.open('req_2')
    address.close()
    expect(entries).toEqual([''])
    expect(address.openId()).toBeUndefined()
  })
})
