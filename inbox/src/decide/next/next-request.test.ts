import { describe, expect, it } from 'vitest'
import { wireRequest } from '../../../../test/fixtures/wire-request.ts'
import { nextRequestAfter } from './next-request.ts'

const pending = ['a', 'b', 'c', 'd'].map((id) => wireRequest({ id, yours: id !== 'd' }))
const never = () => false

describe('the next one that waits', () => {
  it('is the one after this, and the first again after the last', () => {
    expect(nextRequestAfter({ id: 'a' }, pending, never)).toEqual({ id: 'b', left: 2 })
    expect(nextRequestAfter({ id: 'c' }, pending, never)).toEqual({ id: 'a', left: 2 })
    expect(nextRequestAfter({ id: 'decided' }, pending, never)).toEqual({ id: 'a', left: 3 })
  })

  it('is none that is put off or that others decide', () => {
    expect(nextRequestAfter({ id: 'a' }, pending, ({ id }) => id === 'b')).toEqual({ id: 'c', left: 1 })
    expect(nextRequestAfter({ id: 'a' }, pending.slice(0, 1), never)).toEqual({ id: undefined, left: 0 })
  })
})
