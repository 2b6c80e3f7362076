import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../stores/memory/store.ts'
import {
  createSubscriptions,
  endpointId,
  MAX_SUBSCRIPTIONS,
  type SubscriptionStore,
} from './subscriptions.ts'

const one = (name: string, parts: object = {}) => ({
  id: endpointId(name),
  endpoint: name,
  token: 'tok_1',
  createdAt: 1,
  ...parts,
})

describe('subscriptions', () => {
  it('are kept under the person, and read again by the next process', async () => {
    const { settings } = openMemoryStore()
    const first = createSubscriptions(settings)
    await first.put('ana', one('a'))
    await first.put('ben', one('b'))
    const next = createSubscriptions(settings)
    expect(await next.of('ana')).toEqual([one('a')])
    expect(await next.of('ben')).toEqual([one('b')])
    await next.remove('ana', endpointId('a'))
    await next.remove('ana', endpointId('never there'))
    expect(await createSubscriptions(settings).of('ana')).toEqual([])
    expect(await settings.get('push:ana')).toEqual([])
  })

  it('one endpoint is one subscription: what is said again changes it', async () => {
    const book = createSubscriptions(openMemoryStore().settings)
    const quiet = { from: '22:00', to: '07:00', zone: 'UTC' }
    await book.put('ana', one('a', { quiet }))
    await book.put('ana', one('a', { createdAt: 9, token: 'tok_2' }))
    expect(await book.of('ana')).toEqual([one('a', { token: 'tok_2' })])
  })

  it('there are at most ten; the oldest gives way', async () => {
    const book = createSubscriptions(openMemoryStore().settings)
    await Promise.all(
      Array.from({ length: MAX_SUBSCRIPTIONS + 2 }, (_, index) => book.put('ana', one(`e${index}`))),
    )
    const kept = await book.of('ana')
    expect(kept).toHaveLength(MAX_SUBSCRIPTIONS)
    expect(kept.map(({ endpoint }) => endpoint).slice(0, 1)).toEqual(['e2'])
  })

  it('P1: a person who subscribes on one node is reached from all of them', async () => {
    const { settings } = openMemoryStore()
    const [here, there] = [createSubscriptions(settings), createSubscriptions(settings)]
    expect(await here.mayReach([])).toBe(false)
    expect(await here.of('ana')).toEqual([])
    expect(await here.mayReach(['ana', 'ben'])).toBe(false)
    await there.put('ana', one('a'))
    expect(await here.mayReach(['ben', 'ana'])).toBe(true)
    expect(await here.of('ana')).toEqual([one('a')])
    await there.put('ana', one('b'))
    await here.remove('ana', endpointId('a'))
    for (const book of [here, there]) expect(await book.of('ana')).toEqual([one('b')])
    await there.remove('ana', endpointId('b'))
    await here.of('ana')
    expect(await here.mayReach(['ana'])).toBe(false)
  })

  it('P2: changes of several nodes at once are all kept', async () => {
    const { settings } = openMemoryStore()
    // Every read and write takes a turn of the loop, as with a server: without the comparison most would be lost.
    const slow: SubscriptionStore = {
      get: (key) => nextTurn().then(() => settings.get(key)),
      change: (key, before, value) => nextTurn().then(() => settings.change(key, before, value)),
    }
    const books = Array.from({ length: 4 }, () => createSubscriptions(slow))
    await Promise.all(
      books.flatMap((book, index) => [book.put('ana', one(`x${index}`)), book.put('ana', one(`y${index}`))]),
    )
    const endpoints = (await books[0]!.of('ana')).map(({ endpoint }) => endpoint)
    expect(endpoints.toSorted()).toEqual(['x0', 'x1', 'x2', 'x3', 'y0', 'y1', 'y2', 'y3'])
  })

  it('P5: whoever loses again and again gives up and says so; who can not be looked up may have some', async () => {
    const { settings } = openMemoryStore()
    let changes = 0
    const losing = createSubscriptions({
      get: (key) => settings.get(key),
      async change() {
        changes++
        return false
      },
    })
    await expect(losing.put('ana', one('a'))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(changes).toBe(50)
    const down = createSubscriptions({
      get: () => Promise.reject(new Error('down')),
      change: () => Promise.reject(new Error('down')),
    })
    expect(await down.mayReach(['ana'])).toBe(true)
  })
})
