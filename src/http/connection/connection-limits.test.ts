import { expect, it } from 'vitest'
import { createConnectionLimits } from './connection-limits.ts'

it('a place is given back once, however often it is left, and each key has its own', () => {
  const connections = createConnectionLimits()
  const [first, second] = [connections.enter('a', 2), connections.enter('a', 2)]
  expect(() => connections.enter('a', 2)).toThrow(expect.objectContaining({ code: 'too_many_connections' }))
  connections.enter('b', 1)
  first.leave()
  first.leave()
  connections.enter('a', 2)
  expect(() => connections.enter('a', 2)).toThrow()
  second.leave()
  connections.enter('a', 2)
})
