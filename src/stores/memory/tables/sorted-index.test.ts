import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSortedIndex } from './sorted-index.ts'

type Key = [at: number, id: string]

const key = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom('a', 'b', 'c', 'd'))
const step = fc.record({ kind: fc.constantFrom('add', 'remove'), key })

describe('createSortedIndex', () => {
  it('is what a sorted array would be, after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), key, (steps, [at, id]) => {
        const index = createSortedIndex<Key>()
        const plain = new Map<string, Key>()
        for (const { kind, key } of steps) {
          const name = JSON.stringify(key)
          if (kind === 'remove') {
            index.remove(...key)
            plain.delete(name)
          } else if (!plain.has(name)) {
            index.add(...key, key)
            plain.set(name, key)
          }
        }
        const sorted = [...plain.values()].sort(inOrder)
        expect([...index.after(Number.NEGATIVE_INFINITY, '')]).toEqual(sorted)
        expect([...index.after(at, id)]).toEqual(sorted.filter((each) => inOrder(each, [at, id]) > 0))
        const ahead = sorted.filter((each) => inOrder(each, [at, id]) < 0)
        expect([...index.before(at, id)]).toEqual(ahead.toReversed())
        expect([...index.before(Number.POSITIVE_INFINITY, '')]).toEqual(sorted.toReversed())
        expect(index.size).toBe(sorted.length)
        expect(index.first()).toEqual(sorted[0])
      }),
    )
  })

  it('keeps its order over many runs, filled in any order and emptied in any other', () => {
    const keys = Array.from({ length: 5000 }, (_, index): Key => [(index * 7919) % 1000, `id-${index}`])
    const index = createSortedIndex<Key>()
    for (const each of keys) index.add(...each, each)
    expect([...index.after(Number.NEGATIVE_INFINITY, '')]).toEqual(keys.toSorted(inOrder))
    expect([...index.after(500, 'id-3')]).toEqual(
      keys.filter((each) => inOrder(each, [500, 'id-3']) > 0).sort(inOrder),
    )
    expect([...index.before(500, 'id-3')]).toEqual(
      keys
        .filter((each) => inOrder(each, [500, 'id-3']) < 0)
        .sort(inOrder)
        .reverse(),
    )
    const kept = keys.filter((_, place) => place % 3 === 0)
    for (const [place, each] of keys.entries()) if (place % 3 !== 0) index.remove(...each)
    expect([...index.after(Number.NEGATIVE_INFINITY, '')]).toEqual(kept.toSorted(inOrder))
    for (const each of kept) index.remove(...each)
    expect([index.size, index.first()]).toEqual([0, undefined])
  })
})

function inOrder(a: Key, b: Key): number {
  return a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0)
}
