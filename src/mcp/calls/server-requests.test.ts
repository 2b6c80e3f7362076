/** Requests of the server by themselves: which are open, and how many there can be. */
import { describe, expect, it } from 'vitest'
import { createServerRequests } from './server-requests.ts'

describe('requests of the server', () => {
  it('P4: are answered once', () => {
    const requests = createServerRequests()
    expect(requests.open('1', 'ping')).toBeUndefined()
    expect(requests.take('1')).toBe('ping')
    expect(requests.take('1')).toBeUndefined()
  })

  it('P5: one that was cancelled has no answer, and lends its id to no other method', () => {
    const requests = createServerRequests()
    requests.open('1', 'elicitation/create')
    requests.cancel('1')
    expect(requests.open('1', 'ping')).toBe('its id is in use')
    expect(requests.take('1')).toBeUndefined()
    expect(requests.open('1', 'ping')).toBeUndefined()
  })

  it('are not without number, and those that were cancelled make room', () => {
    const requests = createServerRequests(2)
    requests.open('1', 'ping')
    requests.open('2', 'ping')
    expect(requests.open('3', 'ping')).toBe('too many are open')
    requests.cancel('1')
    expect(requests.open('3', 'ping')).toBeUndefined()
    expect([requests.take('1'), requests.take('2'), requests.take('3')]).toEqual([undefined, 'ping', 'ping'])
  })
})
