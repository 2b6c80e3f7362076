import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireRequest } from '../../../test/wire-request.ts'
import { type Board, drop, EMPTY_BOARD, missedIn, pendingOf, recentOf, take } from './board.ts'

const boardOf = (...requests: Parameters<typeof wireRequest>[0][]) =>
  requests.map((parts) => wireRequest(parts)).reduce(take, EMPTY_BOARD)

describe('the board', () => {
  it('lists the pending ones by the time they have left, those without a deadline last', () => {
    const board = boardOf(
      { id: 'later', expiresAt: '2026-01-01T03:00:00.000Z' },
      { id: 'never', expiresAt: null },
      { id: 'soon', expiresAt: '2026-01-01T02:00:00.000Z' },
      { id: 'over', state: 'rejected', expiresAt: null },
    )
    expect(pendingOf(board).map(({ id }) => id)).toEqual(['soon', 'later', 'never'])
  })

  it('lists what is over by its last change, the latest first', () => {
    const board = boardOf(
      { id: 'one', state: 'approved', version: 2 },
      { id: 'two', state: 'rejected', version: 2 },
      { id: 'one', state: 'done', version: 4 },
    )
    expect(recentOf(board).map(({ id, state }) => `${id} ${state}`)).toEqual(['one done', 'two rejected'])
  })

  it('P2: a late list does not bring back as pending what was decided', () => {
    const board = take(
      boardOf({ id: 'a', state: 'rejected', version: 2 }),
      wireRequest({ id: 'a', version: 1 }),
    )
    expect(pendingOf(board)).toEqual([])
  })

  it('P9: what is here whole is not replaced by the same thing cut', () => {
    const whole = wireRequest({ id: 'a' })
    const cut = wireRequest({ id: 'a', shortened: true })
    expect(take(take(EMPTY_BOARD, whole), cut).requests.get('a')).toBe(whole)
    expect(take(take(EMPTY_BOARD, cut), whole).requests.get('a')).toBe(whole)
  })

  it('a newer version that comes cut does replace an older one that was whole', () => {
    const newer = wireRequest({ id: 'a', version: 2, digest: 'd2', shortened: true })
    expect(take(boardOf({ id: 'a' }), newer).requests.get('a')).toBe(newer)
  })

  it('says which of its pending ones a list did not have', () => {
    const board = boardOf({ id: 'a' }, { id: 'b' }, { id: 'c', state: 'done', version: 3 })
    expect(missedIn(board, [wireRequest({ id: 'b' }), wireRequest({ id: 'new' })])).toEqual(['a'])
  })

  it('drops one', () => {
    const board = drop(boardOf({ id: 'a' }, { id: 'b', state: 'done' }), 'b')
    expect([...board.requests.keys()]).toEqual(['a'])
    expect(recentOf(board)).toEqual([])
  })

  it('forgets the oldest of what is over, and never what is pending', () => {
    let board: Board = boardOf({ id: 'waiting' })
    for (let count = 0; count < 60; count++)
      board = take(board, wireRequest({ id: `over-${count}`, state: 'done' }))
    expect(recentOf(board)).toHaveLength(50)
    expect(recentOf(board)[0]?.id).toBe('over-59')
    expect(pendingOf(board).map(({ id }) => id)).toEqual(['waiting'])
  })

  it('property: in whatever order versions arrive, the highest of each is what is shown', () => {
    const heard = fc.array(
      fc.record({ id: fc.constantFrom('a', 'b', 'c'), version: fc.integer({ min: 1, max: 6 }) }),
    )
    fc.assert(
      fc.property(heard, (all) => {
        const board = boardOf(
          ...all.map(
            ({ id, version }) => ({ id, version, state: version > 3 ? 'rejected' : 'pending' }) as const,
          ),
        )
        for (const id of new Set(all.map((one) => one.id))) {
          const highest = Math.max(...all.filter((one) => one.id === id).map(({ version }) => version))
          expect(board.requests.get(id)?.version).toBe(highest)
        }
        const shown = [...pendingOf(board), ...recentOf(board)].map(({ id }) => id).sort()
        expect(shown).toEqual([...board.requests.keys()].sort())
      }),
    )
  })
})
