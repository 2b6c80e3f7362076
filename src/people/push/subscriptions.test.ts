import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../stores/memory/store.ts'
import { createSubscriptions, endpointId, MAX_SUBSCRIPTIONS } from './subscriptions.ts'

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

  it('a person who is not known yet may have some; one who has none is known not to', async () => {
    const book = createSubscriptions(openMemoryStore().settings)
    expect(book.mayHave('ana')).toBe(true)
    await book.of('ana')
    expect(book.mayHave('ana')).toBe(false)
    await book.put('ana', one('a'))
    expect(book.mayHave('ana')).toBe(true)
  })
})
