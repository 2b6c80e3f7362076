import { describe, expect, it } from 'vitest'
import { wireRequest } from '../../../test/wire-request.ts'
import { nextAfter } from './next-one.ts'

const pending = ['a', 'b', 'c', 'd'].map((id) => wireRequest({ id, yours: id !== 'd' }))
const never = () => false

describe('the next one that waits', () => {
  it('is the one after this, and the first again after the last', () => {
    expect(nextAfter({ id: 'a' }, pending, never)).toEqual({ id: 'b', left: 2 })
    expect(nextAfter({ id: 'c' }, pending, never)).toEqual({ id: 'a', left: 2 })
    expect(nextAfter({ id: 'decided' }, pending, never)).toEqual({ id: 'a', left: 3 })
  })

  it('is none that is put off or that others decide', () => {
    expect(nextAfter({ id: 'a' }, pending, ({ id }) => id === 'b')).toEqual({ id: 'c', left: 1 })
    expect(nextAfter({ id: 'a' }, pending.slice(0, 1), never)).toEqual({ id: undefined, left: 0 })
  })
})
