import { describe, expect, it } from 'vitest'
import { formatPageLocation, parsePageLocation } from './page-location.ts'

describe('the place in the address', () => {
  it.each([
    { page: 'pending' },
    { page: 'pending', id: 'req_1' },
    { page: 'history', id: 'a/b?c#d%', query: { text: 'rm -rf & more', state: 'rejected' } },
    { page: 'chat', id: '会话 1' },
  ] as const)('reads what it writes: %j', (place) => {
    expect(parsePageLocation(formatPageLocation(place))).toEqual(place)
  })

  it.each(['', '#', '#/', '#/nowhere', '#login=abc', '#/%E0%A4%A/x', '#/__proto__'])(
    'leads from %j to what waits',
    (hash) => {
      expect(parsePageLocation(hash).page).toBe('pending')
    },
  )

  it.each(['#/pending/.', '#/pending/..', '#/pending/%2e%2E', '#/chat/'])(
    'has nothing open at %j',
    (hash) => {
      expect(parsePageLocation(hash).id).toBeUndefined()
    },
  )

  it('takes an id with a broken escape as it is', () => {
    expect(parsePageLocation('#/pending/%E0%A4%A')).toEqual({ page: 'pending', id: '%E0%A4%A' })
  })
})
