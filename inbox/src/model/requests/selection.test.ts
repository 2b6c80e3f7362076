import { signal } from '@preact/signals'
import { describe, expect, it } from 'vitest'
import type { WireRequest } from '../../../../src/client/index.ts'
import { wireRequest } from '../../../../test/fixtures/wire-request.ts'
import { createSelection } from './selection.ts'

function of(...requests: Parameters<typeof wireRequest>[0][]) {
  const pending = signal<readonly WireRequest[]>(
    requests.map((parts) => wireRequest({ yours: true, ...parts })),
  )
  return { pending, selection: createSelection(pending) }
}
const ids = (requests: readonly WireRequest[]) => requests.map(({ id }) => id)

describe('what is marked', () => {
  it('is in the order of the list, and what was answered elsewhere falls out', () => {
    const { pending, selection } = of({ id: 'a' }, { id: 'b' }, { id: 'c' })
    selection.toggle('c')
    selection.toggle('a')
    expect(ids(selection.chosen.value)).toEqual(['a', 'c'])
    pending.value = pending.value.slice(1)
    expect(ids(selection.chosen.value)).toEqual(['c'])
    selection.toggle('c')
    expect(selection.chosen.value).toEqual([])
  })

  it('P6: never holds what is not the reader’s to decide', () => {
    const { selection } = of({ id: 'a', yours: false }, { id: 'b' })
    selection.toggleAll(['a', 'b'])
    expect(ids(selection.chosen.value)).toEqual(['b'])
  })

  it('marks all of a group, or none where all are marked', () => {
    const { selection } = of({ id: 'a' }, { id: 'b' }, { id: 'c' })
    selection.toggle('a')
    selection.toggleAll(['a', 'b'])
    expect(ids(selection.chosen.value)).toEqual(['a', 'b'])
    selection.toggleAll(['a', 'b'])
    expect(selection.chosen.value).toEqual([])
    selection.toggle('c')
    selection.clear()
    expect(selection.has('c')).toBe(false)
  })
})
