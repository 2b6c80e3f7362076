import { describe, expect, it } from 'vitest'
import { genesis, nextHash } from '../entry.ts'
import { createHashWindow } from './hash-window.ts'

describe('the window of hashes', () => {
  const heads = [genesis('main')]
  for (let n = 1; n <= 6; n++) heads.push(nextHash(heads[n - 1]!, `body ${n}`))
  const appended = (size: number, ...numbers: number[]) => {
    const window = createHashWindow('main', size)
    for (const n of numbers) window.append(n, `body ${n}`)
    return window
  }

  it('P10: knows the newest hashes and says which it has forgotten', () => {
    const window = appended(3, 1, 2, 3, 4, 5, 6)
    expect(window.head()).toEqual(heads[6])
    expect(window.at(3)).toEqual({ hash: heads[3]!.hash })
    expect(window.at(2)).toBe('forgotten')
    window.shrink()
    expect(window.head()).toEqual(heads[6])
    expect(window.at(5)).toBe('forgotten')
  })

  it('P10: does not know what comes after a gap until it is told', () => {
    const window = appended(10, 1, 2, 4, 5)
    expect(window.at(2)).toEqual({ hash: heads[2]!.hash })
    expect(window.at(4)).toBe('unknown')
    expect(window.head()).toBeUndefined()
    window.adopt(heads[3]!)
    expect(window.at(4)).toEqual({ hash: heads[4]!.hash })
    expect(window.head()).toEqual(heads[5])
  })
})
